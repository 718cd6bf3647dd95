<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>HistoryView</name>
    <message>
        <source>Tasks that have ended</source>
        <translation>已结束的任务</translation>
    </message>
</context>
<context>
    <name>LevelStrip</name>
    <message>
        <source>Levels of the pins in the trial</source>
        <translation>模拟运行中各引脚的电平</translation>
    </message>
    <message>
        <source>Pin {0}</source>
        <translation>引脚 {0}</translation>
    </message>
    <message>
        <source>{0}: {1} changes, at the end {2}</source>
        <translation>{0}：变化 {1} 次，结束时为{2}</translation>
    </message>
</context>
<context>
    <name>BudgetMeter</name>
    <message>
        <source>Further commands of this session are refused.</source>
        <translation>此会话之后的命令都会被拒绝。</translation>
    </message>
    <message>
        <source>Nearly used up</source>
        <translation>即将用完</translation>
    </message>
    <message>
        <source>Used up</source>
        <translation>已用完</translation>
    </message>
    <message>
        <source>{0} of {1}</source>
        <translation>{0} / {1}</translation>
    </message>
</context>
<context>
    <name>Overview</name>
    <message>
        <source>Every pin and line is free.</source>
        <translation>所有引脚和线路都空闲。</translation>
    </message>
    <message>
        <source>No session has used run time yet.</source>
        <translation>还没有会话用过运行时间。</translation>
    </message>
    <message>
        <source>Resources in use</source>
        <translation>占用中的资源</translation>
    </message>
    <message>
        <source>Run time of sessions</source>
        <translation>各会话的运行时间</translation>
    </message>
    <message>
        <source>waiting: {0}</source>
        <translation>等待：{0}</translation>
    </message>
</context>
<context>
    <name>ActivityPage</name>
    <message>
        <source>Blink the LED of the simulated board</source>
        <translation>让模拟开发板的 LED 闪烁</translation>
    </message>
    <message>
        <source>Choose a task to see its steps, pins and result.</source>
        <translation>选择一个任务，查看它的步骤、引脚和结果。</translation>
    </message>
    <message>
        <source>Every command that moves or reads a board appears here, with its steps and its pins.</source>
        <translation>每一条控制或读取开发板的命令都会出现在这里，连同它的步骤和引脚。</translation>
    </message>
    <message>
        <source>Held outputs</source>
        <translation>保持的输出</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>正在执行</translation>
    </message>
    <message>
        <source>Whoever asked for it: you, the assistant or a schedule. No hardware is needed.</source>
        <translation>不论是你、助手还是计划任务发起的。不需要硬件也能试。</translation>
    </message>
</context>
<context>
    <name>PinTable</name>
    <message>
        <source>Asked</source>
        <translation>要求</translation>
    </message>
    <message>
        <source>Pin</source>
        <translation>引脚</translation>
    </message>
    <message>
        <source>Read back</source>
        <translation>读回</translation>
    </message>
    <message>
        <source>differs</source>
        <translation>不一致</translation>
    </message>
    <message>
        <source>not read</source>
        <translation>未读取</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>无</translation>
    </message>
</context>
<context>
    <name>OutputList</name>
    <message>
        <source>No task left an output on.</source>
        <translation>没有任务留下打开的输出。</translation>
    </message>
</context>
<context>
    <name>OutputRow</name>
    <message>
        <source>Make safe</source>
        <translation>置为安全</translation>
    </message>
    <message>
        <source>Make safe: {0}</source>
        <translation>置为安全：{0}</translation>
    </message>
    <message>
        <source>Pin {0}</source>
        <translation>引脚 {0}</translation>
    </message>
    <message>
        <source>Put this pin into its safe state</source>
        <translation>让这个引脚进入安全状态</translation>
    </message>
    <message>
        <source>Show task</source>
        <translation>查看任务</translation>
    </message>
    <message>
        <source>Show task: {0}</source>
        <translation>查看任务：{0}</translation>
    </message>
    <message>
        <source>for {0}</source>
        <translation>已 {0}</translation>
    </message>
</context>
<context>
    <name>RunningList</name>
    <message>
        <source>Nothing is running.</source>
        <translation>没有正在执行的任务。</translation>
    </message>
    <message>
        <source>{0} more are running or waiting.</source>
        <translation>另有 {0} 个正在执行或等待。</translation>
    </message>
</context>
<context>
    <name>RunningRow</name>
    <message>
        <source>Answer</source>
        <translation>回答</translation>
    </message>
    <message>
        <source>Answer: {0}</source>
        <translation>回答：{0}</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Cancel: {0}</source>
        <translation>取消：{0}</translation>
    </message>
</context>
<context>
    <name>TaskDetails</name>
    <message>
        <source>Also read back</source>
        <translation>其他读回的值</translation>
    </message>
    <message>
        <source>Another program runs it.</source>
        <translation>正由另一个程序执行。</translation>
    </message>
    <message>
        <source>Another task holds what this one needs; it starts by itself when that is free.</source>
        <translation>它需要的资源正被另一个任务占用，空出来后会自动开始。</translation>
    </message>
    <message>
        <source>Asked by: {0}</source>
        <translation>发起者：{0}</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Copy the task's id</source>
        <translation>复制任务编号</translation>
    </message>
    <message>
        <source>Dry run</source>
        <translation>试运行</translation>
    </message>
    <message>
        <source>Everything was checked, nothing was sent to the board.</source>
        <translation>已全部检查，没有向开发板发送任何内容。</translation>
    </message>
    <message>
        <source>Holds or waits for</source>
        <translation>占用或等待</translation>
    </message>
    <message>
        <source>It starts when you allow it. The question waits in the chat.</source>
        <translation>你同意后才会开始，请在对话页回答。</translation>
    </message>
    <message>
        <source>It was done again later.</source>
        <translation>之后又做了一次。</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Pins</source>
        <translation>引脚</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Stopped by {0} before it started.</source>
        <translation>开始之前由{0}停止。</translation>
    </message>
    <message>
        <source>Stopped by {0}. Its outputs were made safe.</source>
        <translation>由{0}停止，它的输出已进入安全状态。</translation>
    </message>
    <message>
        <source>The program ended before this task did.</source>
        <translation>程序在这个任务完成之前就结束了。</translation>
    </message>
    <message>
        <source>the emergency stop</source>
        <translation>急停</translation>
    </message>
    <message>
        <source>you</source>
        <translation>你</translation>
    </message>
</context>
<context>
    <name>TimeLine</name>
    <message>
        <source>Steps of the task</source>
        <translation>任务的步骤</translation>
    </message>
    <message>
        <source>time not known; found out {0}</source>
        <translation>时间未知；{0} 发现</translation>
    </message>
</context>
<context>
    <name>TrialPanel</name>
    <message>
        <source>A simulated twin takes over the pins of this board and runs the task. The board stays still.</source>
        <translation>模拟的孪生板会接过这块开发板的引脚状态并运行此任务，开发板本身不动。</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>No pin changed.</source>
        <translation>没有引脚变化。</translation>
    </message>
    <message>
        <source>On the simulator</source>
        <translation>在模拟器上</translation>
    </message>
    <message>
        <source>Simulated</source>
        <translation>模拟</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>再试一次</translation>
    </message>
    <message>
        <source>Try on the simulator</source>
        <translation>在模拟器上试运行</translation>
    </message>
    <message>
        <source>Trying…</source>
        <translation>正在试运行…</translation>
    </message>
    <message>
        <source>pins moved for {0}</source>
        <translation>引脚变化历时 {0}</translation>
    </message>
</context>
<context>
    <name>Activity</name>
    <message>
        <source>Assistant</source>
        <translation>助手</translation>
    </message>
    <message>
        <source>Cancelled</source>
        <translation>已取消</translation>
    </message>
    <message>
        <source>Checked</source>
        <translation>检查完</translation>
    </message>
    <message>
        <source>Checking</source>
        <translation>检查中</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>Interrupted</source>
        <translation>已中断</translation>
    </message>
    <message>
        <source>Message channel</source>
        <translation>消息频道</translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>就绪</translation>
    </message>
    <message>
        <source>Received</source>
        <translation>收到</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>执行中</translation>
    </message>
    <message>
        <source>SOP</source>
        <translation>SOP</translation>
    </message>
    <message>
        <source>Schedule</source>
        <translation>计划任务</translation>
    </message>
    <message>
        <source>Started</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>Waits for your approval</source>
        <translation>等待你的同意</translation>
    </message>
    <message>
        <source>Webhook</source>
        <translation>Webhook</translation>
    </message>
    <message>
        <source>You</source>
        <translation>你</translation>
    </message>
    <message>
        <source>high</source>
        <translation>高</translation>
    </message>
    <message>
        <source>low</source>
        <translation>低</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>未知</translation>
    </message>
</context>
<context>
    <name>Pages</name>
    <message>
        <source>Activity</source>
        <translation>活动</translation>
    </message>
</context>
<context>
    <name>ShortcutsSheet</name>
    <message>
        <source>Activity</source>
        <translation>活动</translation>
    </message>
    <message>
        <source>Cancel the running task</source>
        <translation>取消正在执行的任务</translation>
    </message>
    <message>
        <source>Choose a task</source>
        <translation>选择任务</translation>
    </message>
    <message>
        <source>Search in the history</source>
        <translation>在历史中搜索</translation>
    </message>
</context>
<context>
    <name>HistoryPanel</name>
    <message>
        <source>All</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>Any board</source>
        <translation>所有开发板</translation>
    </message>
    <message>
        <source>Any time</source>
        <translation>不限时间</translation>
    </message>
    <message>
        <source>Anyone</source>
        <translation>所有人</translation>
    </message>
    <message>
        <source>Board</source>
        <translation>开发板</translation>
    </message>
    <message>
        <source>Cancelled</source>
        <translation>已取消</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>Filter by who asked, board and time</source>
        <translation>按发起者、开发板和时间筛选</translation>
    </message>
    <message>
        <source>History</source>
        <translation>历史</translation>
    </message>
    <message>
        <source>Interrupted</source>
        <translation>已中断</translation>
    </message>
    <message>
        <source>Last 24 hours</source>
        <translation>最近 24 小时</translation>
    </message>
    <message>
        <source>Last 30 days</source>
        <translation>最近 30 天</translation>
    </message>
    <message>
        <source>Last 7 days</source>
        <translation>最近 7 天</translation>
    </message>
    <message>
        <source>Last hour</source>
        <translation>最近 1 小时</translation>
    </message>
    <message>
        <source>No task has ended yet.</source>
        <translation>还没有结束的任务。</translation>
    </message>
    <message>
        <source>No task matches.</source>
        <translation>没有符合条件的任务。</translation>
    </message>
    <message>
        <source>Only this run of the program is shown. {0}</source>
        <translation>只显示程序本次运行的任务。{0}</translation>
    </message>
    <message>
        <source>Search (Ctrl+F)</source>
        <translation>搜索 (Ctrl+F)</translation>
    </message>
    <message>
        <source>Search in the history</source>
        <translation>在历史中搜索</translation>
    </message>
    <message>
        <source>State that is shown</source>
        <translation>显示的状态</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Who asked</source>
        <translation>发起者</translation>
    </message>
</context>
<context>
    <name>InterruptedRow</name>
    <message>
        <source>Asked by: {0}</source>
        <translation>发起者：{0}</translation>
    </message>
    <message>
        <source>Board made safe</source>
        <translation>开发板已安全</translation>
    </message>
    <message>
        <source>Board not safe</source>
        <translation>开发板未确认安全</translation>
    </message>
    <message>
        <source>Dismiss</source>
        <translation>忽略</translation>
    </message>
    <message>
        <source>Dismiss: {0}</source>
        <translation>忽略：{0}</translation>
    </message>
    <message>
        <source>Do it again</source>
        <translation>再做一次</translation>
    </message>
    <message>
        <source>Do it again: {0}</source>
        <translation>再做一次：{0}</translation>
    </message>
    <message>
        <source>Starting…</source>
        <translation>正在开始…</translation>
    </message>
    <message>
        <source>Waits for the board</source>
        <translation>等待开发板</translation>
    </message>
</context>
<context>
    <name>InterruptedCard</name>
    <message>
        <source>Dismiss all</source>
        <translation>全部忽略</translation>
    </message>
    <message>
        <source>The program ended in the middle of a task.</source>
        <translation>程序上次结束时，有一个任务没有做完。</translation>
    </message>
    <message>
        <source>The program ended in the middle of {0} tasks.</source>
        <translation>程序上次结束时，有 {0} 个任务没有做完。</translation>
    </message>
    <message>
        <source>What moves something is done again only if you say so.</source>
        <translation>会让东西动起来的任务，只有你同意才会再做。</translation>
    </message>
    <message>
        <source>{0} more tasks.</source>
        <translation>另有 {0} 个任务。</translation>
    </message>
</context>
<context>
    <name>RulesCard</name>
    <message>
        <source>Remembered answers: {0}</source>
        <translation>已记住的回答：{0}</translation>
    </message>
    <message>
        <source>These commands run without asking. An emergency stop ends all of them.</source>
        <translation>这些命令不再询问就会执行。急停会使它们全部失效。</translation>
    </message>
</context>
<context>
    <name>RuleRow</name>
    <message>
        <source>Revoke</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>given in the window</source>
        <translation>在窗口中给出</translation>
    </message>
    <message>
        <source>given on the command line</source>
        <translation>在命令行中给出</translation>
    </message>
    <message>
        <source>used once</source>
        <translation>已使用 1 次</translation>
    </message>
    <message>
        <source>used {0} times</source>
        <translation>已使用 {0} 次</translation>
    </message>
    <message>
        <source>Revoke: {0}</source>
        <translation>撤销：{0}</translation>
    </message>
</context>
</TS>
