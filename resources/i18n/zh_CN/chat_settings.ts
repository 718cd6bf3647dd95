<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>ApprovalCard</name>
    <message>
        <source>Allow for an hour</source>
        <translation>允许一小时</translation>
    </message>
    <message>
        <source>Allow until closed</source>
        <translation>允许到关闭为止</translation>
    </message>
    <message>
        <source>Until ZeroClaw closes</source>
        <translation>直到 ZeroClaw 关闭</translation>
    </message>
    <message>
        <source>Remembered answers: {0}</source>
        <translation>已记住的回答：{0}</translation>
    </message>
    <message>
        <source>Once: {0}</source>
        <translation>一次：{0}</translation>
    </message>
    <message>
        <source>For longer: {0}. {1}</source>
        <translation>更长时间：{0}。{1}</translation>
    </message>
    <message>
        <source>Asked by: {0}</source>
        <translation>发起者：{0}</translation>
    </message>
    <message>
        <source>May this be done?</source>
        <translation>可以执行吗？</translation>
    </message>
    <message>
        <source>{0} left</source>
        <translation>剩余 {0}</translation>
    </message>
    <message>
        <source>No time left; nothing was done</source>
        <translation>已超时，没有执行任何操作</translation>
    </message>
    <message>
        <source>Deny</source>
        <translation>拒绝</translation>
    </message>
    <message>
        <source>Allow once</source>
        <translation>允许这一次</translation>
    </message>
    <message>
        <source>Approval: {0}</source>
        <translation>待确认：{0}</translation>
    </message>
    <message>
        <source>May this be done on {0}?</source>
        <translation>可以在“{0}”上执行吗？</translation>
    </message>
</context>
<context>
    <name>Bench</name>
    <message>
        <source>Not connected</source>
        <translation>未连接</translation>
    </message>
    <message>
        <source>Connecting</source>
        <translation>连接中</translation>
    </message>
    <message>
        <source>Live</source>
        <translation>在线</translation>
    </message>
    <message>
        <source>Flashing</source>
        <translation>烧录中</translation>
    </message>
    <message>
        <source>Connection lost</source>
        <translation>连接中断</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>Bench</source>
        <translation>工作台</translation>
    </message>
    <message>
        <source>Hide the bench</source>
        <translation>隐藏工作台</translation>
    </message>
    <message>
        <source>Simulated</source>
        <translation>模拟</translation>
    </message>
    <message>
        <source>Connect</source>
        <translation>连接</translation>
    </message>
    <message>
        <source>Your board stands here, with its pins live.</source>
        <translation>开发板会显示在这里，引脚状态实时更新。</translation>
    </message>
    <message>
        <source>Start the simulator</source>
        <translation>启动模拟器</translation>
    </message>
    <message>
        <source>No board at hand? A simulated Arduino Uno runs the real firmware.</source>
        <translation>手边没有开发板？模拟 Arduino Uno 运行的是真实固件。</translation>
    </message>
    <message>
        <source>Looking for boards…</source>
        <translation>正在查找开发板…</translation>
    </message>
</context>
<context>
    <name>ChatPage</name>
    <message>
        <source>Show the bench</source>
        <translation>显示工作台</translation>
    </message>
    <message>
        <source>Conversation</source>
        <translation>对话</translation>
    </message>
</context>
<context>
    <name>Composer</name>
    <message>
        <source>Still starting; these words are sent in a moment.</source>
        <translation>正在启动，稍后自动发送这些内容。</translation>
    </message>
    <message>
        <source>Your text is kept; send it when this answer is complete.</source>
        <translation>内容已保留，等这次回答结束后再发送。</translation>
    </message>
    <message>
        <source>Esc stops it</source>
        <translation>按 Esc 停止</translation>
    </message>
    <message>
        <source>Enter sends, Shift+Enter starts a new line</source>
        <translation>Enter 发送，Shift+Enter 换行</translation>
    </message>
    <message>
        <source>Thinking</source>
        <translation>思考中</translation>
    </message>
    <message>
        <source>Answering</source>
        <translation>回答中</translation>
    </message>
    <message>
        <source>At work on the board</source>
        <translation>正在操作开发板</translation>
    </message>
    <message>
        <source>Waits for your answer</source>
        <translation>等待你的确认</translation>
    </message>
    <message>
        <source>At work</source>
        <translation>处理中</translation>
    </message>
    <message>
        <source>Say what the board should do</source>
        <translation>说说要让开发板做什么</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>发送</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Stop this answer and its commands (Esc)</source>
        <translation>停止这次回答和它发出的命令（Esc）</translation>
    </message>
</context>
<context>
    <name>CopyButton</name>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
</context>
<context>
    <name>EmptyChat</name>
    <message>
        <source>What should the board do?</source>
        <translation>想让开发板做什么？</translation>
    </message>
    <message>
        <source>Say it in your own words, in English or Chinese, or begin with one of these.</source>
        <translation>用自己的话说，中文英文都可以；也可以从下面选一句。</translation>
    </message>
    <message>
        <source>No board is connected. A simulated Arduino Uno is ready in a second.</source>
        <translation>还没有连接开发板。模拟 Arduino Uno 一秒即可就绪。</translation>
    </message>
    <message>
        <source>Start the simulator</source>
        <translation>启动模拟器</translation>
    </message>
</context>
<context>
    <name>Note</name>
    <message>
        <source>Ask again</source>
        <translation>重新提问</translation>
    </message>
    <message>
        <source>You stopped this answer. Nothing more was sent to the board.</source>
        <translation>你停止了这次回答，没有再向开发板发送任何内容。</translation>
    </message>
    <message>
        <source>This answer could not be completed.</source>
        <translation>这次回答没能完成。</translation>
    </message>
</context>
<context>
    <name>PinChanges</name>
    <message>
        <source>low</source>
        <translation>低</translation>
    </message>
    <message>
        <source>high</source>
        <translation>高</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>Pin {0}: {1} to {2}</source>
        <translation>引脚 {0}：{1} 变为 {2}</translation>
    </message>
</context>
<context>
    <name>SettingRow</name>
    <message>
        <source>Reset to default: {0}</source>
        <translation>恢复默认值：{0}</translation>
    </message>
    <message>
        <source>Takes effect at the next start</source>
        <translation>下次启动后生效</translation>
    </message>
    <message>
        <source>on</source>
        <translation>开</translation>
    </message>
    <message>
        <source>off</source>
        <translation>关</translation>
    </message>
</context>
<context>
    <name>SettingsPage</name>
    <message>
        <source>Search settings</source>
        <translation>搜索设置</translation>
    </message>
    <message>
        <source>Kept in</source>
        <translation>保存位置</translation>
    </message>
    <message>
        <source>Copy the path</source>
        <translation>复制路径</translation>
    </message>
    <message>
        <source>Open the file</source>
        <translation>打开文件</translation>
    </message>
    <message>
        <source>No setting fits these words.</source>
        <translation>没有符合的设置。</translation>
    </message>
    <message>
        <source>Show all settings</source>
        <translation>显示全部设置</translation>
    </message>
</context>
<context>
    <name>SparkPanel</name>
    <message>
        <source>Signals</source>
        <translation>信号</translation>
    </message>
    <message>
        <source>Open plots</source>
        <translation>打开曲线</translation>
    </message>
    <message>
        <source>Plot A0 and A1</source>
        <translation>绘制 A0 和 A1</translation>
    </message>
    <message>
        <source>Let the board send its analog inputs A0 and A1</source>
        <translation>让开发板持续上报模拟输入 A0 和 A1</translation>
    </message>
</context>
<context>
    <name>ToolCard</name>
    <message>
        <source>Receipt {0}</source>
        <translation>凭据 {0}</translation>
    </message>
    <message>
        <source>Its number in the chain of receipts; see zeroclaw audit.</source>
        <translation>它在凭据链中的编号，参见 zeroclaw audit。</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>详情</translation>
    </message>
    <message>
        <source>Queued</source>
        <translation>排队中</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>执行中</translation>
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
        <source>Refused</source>
        <translation>已拒绝</translation>
    </message>
    <message>
        <source>Cancelled</source>
        <translation>已取消</translation>
    </message>
    <message>
        <source>Dry run</source>
        <translation>试运行</translation>
    </message>
    <message>
        <source>Everything was checked, nothing was sent to the board.</source>
        <translation>已完成全部检查，没有向开发板发送任何内容。</translation>
    </message>
</context>
<context>
    <name>TranscriptView</name>
    <message>
        <source>Latest</source>
        <translation>最新</translation>
    </message>
    <message>
        <source>Go to the latest message</source>
        <translation>跳到最新消息</translation>
    </message>
</context>
</TS>
