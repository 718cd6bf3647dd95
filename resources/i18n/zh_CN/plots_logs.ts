<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>LogView</name>
    <message>
        <source>Log records</source>
        <translation>日志记录</translation>
    </message>
    <message>
        <source>Newest</source>
        <translation>最新</translation>
    </message>
    <message>
        <source>{0} new</source>
        <translation>{0} 条新记录</translation>
    </message>
</context>
<context>
    <name>LogsPage</name>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Save the shown lines</source>
        <translation>保存显示的记录</translation>
    </message>
    <message>
        <source>Lowest level that is shown</source>
        <translation>显示的最低级别</translation>
    </message>
    <message>
        <source>All parts</source>
        <translation>全部模块</translation>
    </message>
    <message>
        <source>Part of the app</source>
        <translation>应用的模块</translation>
    </message>
    <message>
        <source>Search (Ctrl+F)</source>
        <translation>搜索 (Ctrl+F)</translation>
    </message>
    <message>
        <source>Search in the log</source>
        <translation>在日志中搜索</translation>
    </message>
    <message>
        <source>New lines wait while it is paused; none is lost.</source>
        <translation>暂停期间新记录会排队等候，不会丢失。</translation>
    </message>
    <message>
        <source>Copy the selected lines (all when none is selected)</source>
        <translation>复制选中的记录（未选中时复制全部）</translation>
    </message>
    <message>
        <source>Save the shown lines (Ctrl+S)</source>
        <translation>保存显示的记录 (Ctrl+S)</translation>
    </message>
    <message>
        <source>Open the log folder</source>
        <translation>打开日志文件夹</translation>
    </message>
    <message>
        <source>Clear this list</source>
        <translation>清空列表</translation>
    </message>
    <message>
        <source>Whole text of the selected line</source>
        <translation>选中记录的全文</translation>
    </message>
    <message>
        <source>Log files</source>
        <translation>日志文件</translation>
    </message>
    <message>
        <source>No line matches these filters.</source>
        <translation>没有符合筛选条件的记录。</translation>
    </message>
    <message>
        <source>Show all lines</source>
        <translation>显示全部记录</translation>
    </message>
    <message>
        <source>What the app and the boards do is written here.</source>
        <translation>应用和开发板做过的事都会记在这里。</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>All</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>Info</source>
        <translation>信息</translation>
    </message>
    <message>
        <source>Warnings</source>
        <translation>警告</translation>
    </message>
    <message>
        <source>Errors</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>Saved: {0}</source>
        <translation>已保存：{0}</translation>
    </message>
    <message>
        <source>Lines appear by themselves. Older ones are in the log folder.</source>
        <translation>记录会自动出现，更早的在日志文件夹中。</translation>
    </message>
    <message>
        <source>Copied lines: {0}</source>
        <translation>已复制 {0} 条</translation>
    </message>
    <message>
        <source>{0} of {1}</source>
        <translation>{0} / {1}</translation>
    </message>
    <message>
        <source>Resume ({0})</source>
        <translation>继续 ({0})</translation>
    </message>
    <message>
        <source>The lines could not be saved.</source>
        <translation>记录未能保存。</translation>
    </message>
    <message>
        <source>The file may be missing or incomplete.</source>
        <translation>文件可能不存在或不完整。</translation>
    </message>
    <message>
        <source>Choose a folder that you may write to.</source>
        <translation>请选择有写入权限的文件夹。</translation>
    </message>
</context>
<context>
    <name>PlotCanvas</name>
    <message>
        <source>position</source>
        <translation>当前位置</translation>
    </message>
    <message>
        <source>fixed scale</source>
        <translation>固定量程</translation>
    </message>
    <message>
        <source>now</source>
        <translation>现在</translation>
    </message>
    <message>
        <source>Plot</source>
        <translation>曲线图</translation>
    </message>
    <message>
        <source>Space pauses, plus and minus zoom, arrows move, F follows the present.</source>
        <translation>空格暂停，加减号缩放，方向键移动，F 键跟随最新数据。</translation>
    </message>
</context>
<context>
    <name>EmptyPlot</name>
    <message>
        <source>Waiting for the first value…</source>
        <translation>正在等待第一个数值…</translation>
    </message>
    <message>
        <source>Every number that a board prints becomes a curve by itself.</source>
        <translation>开发板输出的每个数字都会自动变成曲线。</translation>
    </message>
    <message>
        <source>Lines such as temp:23.5, light=512, CSV, Teleplot and JSON are understood.</source>
        <translation>支持 temp:23.5、light=512、CSV、Teleplot 和 JSON 等格式的文本行。</translation>
    </message>
    <message>
        <source>Show live signals of the board</source>
        <translation>显示开发板的实时信号</translation>
    </message>
    <message>
        <source>Start the simulator and show its signals</source>
        <translation>启动模拟器并显示其信号</translation>
    </message>
</context>
<context>
    <name>PlotsPage</name>
    <message>
        <source>Series</source>
        <translation>数据系列</translation>
    </message>
    <message>
        <source>newest values</source>
        <translation>最新数值</translation>
    </message>
    <message>
        <source>at {0}</source>
        <translation>光标处 {0}</translation>
    </message>
</context>
<context>
    <name>SeriesList</name>
    <message>
        <source>{0} samples</source>
        <translation>{0} 个样本</translation>
    </message>
    <message>
        <source>Series</source>
        <translation>数据系列</translation>
    </message>
</context>
<context>
    <name>PlotToolbar</name>
    <message>
        <source>Pause or resume (Space). Paused plots go on recording.</source>
        <translation>暂停或继续（空格）。暂停时仍在记录。</translation>
    </message>
    <message>
        <source>Length of time that is shown</source>
        <translation>显示的时间长度</translation>
    </message>
    <message>
        <source>One panel for each unit, or one for each series</source>
        <translation>按单位分栏，或每个系列单独一栏</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Clear all curves</source>
        <translation>清空全部曲线</translation>
    </message>
    <message>
        <source>Show or hide the list of series</source>
        <translation>显示或隐藏系列列表</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Live</source>
        <translation>实时</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>By unit</source>
        <translation>按单位</translation>
    </message>
    <message>
        <source>Separate</source>
        <translation>分开</translation>
    </message>
    <message>
        <source>{0} new samples, all kept</source>
        <translation>新增 {0} 个样本，均已保留</translation>
    </message>
</context>
<context>
    <name>HoverControls</name>
    <message>
        <source>Zoom in (+)</source>
        <translation>放大 (+)</translation>
    </message>
    <message>
        <source>Zoom out (-)</source>
        <translation>缩小 (-)</translation>
    </message>
    <message>
        <source>Follow the present and fit (F)</source>
        <translation>跟随最新数据并自动适配 (F)</translation>
    </message>
</context>
</TS>
