<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>ActingTile</name>
    <message>
        <source>board away</source>
        <translation>开发板不在</translation>
    </message>
    <message>
        <source>done</source>
        <translation>已完成</translation>
    </message>
    <message>
        <source>dry run</source>
        <translation>试运行</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>no command</source>
        <translation>未选命令</translation>
    </message>
    <message>
        <source>refused</source>
        <translation>被拒绝</translation>
    </message>
    <message>
        <source>running</source>
        <translation>执行中</translation>
    </message>
    <message>
        <source>sent</source>
        <translation>已发送</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>Answer the question in the chat (Ctrl+1).</source>
        <translation>请在对话中回答（Ctrl+1）。</translation>
    </message>
    <message>
        <source>waits for you</source>
        <translation>等待你确认</translation>
    </message>
</context>
<context>
    <name>AddSheet</name>
    <message>
        <source>A note, or the last line of a board</source>
        <translation>一段文字，或开发板的最新一行</translation>
    </message>
    <message>
        <source>Add tile</source>
        <translation>添加磁贴</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>No board is connected and no series came yet. Start the simulator to have some.</source>
        <translation>没有连接开发板，也还没有收到数据。可先启动模拟器。</translation>
    </message>
    <message>
        <source>Search series, pins and commands</source>
        <translation>搜索数据、引脚和命令</translation>
    </message>
    <message>
        <source>Show it as</source>
        <translation>显示为</translation>
    </message>
    <message>
        <source>command</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>pin</source>
        <translation>引脚</translation>
    </message>
    <message>
        <source>series</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>text</source>
        <translation>文字</translation>
    </message>
</context>
<context>
    <name>ButtonTile</name>
    <message>
        <source>Button</source>
        <translation>按钮</translation>
    </message>
</context>
<context>
    <name>DashboardPage</name>
    <message>
        <source>Dashboard</source>
        <translation>仪表盘</translation>
    </message>
    <message>
        <source>Dashboard of this board</source>
        <translation>为当前开发板生成仪表盘</translation>
    </message>
    <message>
        <source>Dashboards</source>
        <translation>仪表盘</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Deleted: {0}</source>
        <translation>已删除：{0}</translation>
    </message>
    <message>
        <source>Duplicate</source>
        <translation>复制一份</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>导出…</translation>
    </message>
    <message>
        <source>Imported: {0}</source>
        <translation>已导入：{0}</translation>
    </message>
    <message>
        <source>Import…</source>
        <translation>导入…</translation>
    </message>
    <message>
        <source>New dashboard</source>
        <translation>新建仪表盘</translation>
    </message>
    <message>
        <source>Rename…</source>
        <translation>重命名…</translation>
    </message>
    <message>
        <source>Saved: {0}</source>
        <translation>已保存：{0}</translation>
    </message>
    <message>
        <source>The series were pinned here.</source>
        <translation>已固定到这里。</translation>
    </message>
    <message>
        <source>The tile was removed.</source>
        <translation>磁贴已移除。</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>import</source>
        <translation>导入</translation>
    </message>
    <message>
        <source>move</source>
        <translation>移动</translation>
    </message>
    <message>
        <source>new dashboard</source>
        <translation>新建仪表盘</translation>
    </message>
    <message>
        <source>new tile</source>
        <translation>新建磁贴</translation>
    </message>
    <message>
        <source>properties</source>
        <translation>属性</translation>
    </message>
    <message>
        <source>remove tile</source>
        <translation>移除磁贴</translation>
    </message>
    <message>
        <source>rename</source>
        <translation>重命名</translation>
    </message>
    <message>
        <source>Properties…</source>
        <translation>属性…</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Pin to the chat</source>
        <translation>固定到对话</translation>
    </message>
    <message>
        <source>The plot is in the chat.</source>
        <translation>曲线已放入对话。</translation>
    </message>
</context>
<context>
    <name>DashboardToolbar</name>
    <message>
        <source>Add tile</source>
        <translation>添加磁贴</translation>
    </message>
    <message>
        <source>Dashboard</source>
        <translation>仪表盘</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>编辑</translation>
    </message>
    <message>
        <source>Full screen (F11)</source>
        <translation>全屏（F11）</translation>
    </message>
    <message>
        <source>More</source>
        <translation>更多</translation>
    </message>
    <message>
        <source>Move and resize tiles (Ctrl+E)</source>
        <translation>移动磁贴、调整大小（Ctrl+E）</translation>
    </message>
    <message>
        <source>Name of the dashboard</source>
        <translation>仪表盘名称</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>重做</translation>
    </message>
    <message>
        <source>Redo: {0}</source>
        <translation>重做：{0}</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Undo: {0}</source>
        <translation>撤销：{0}</translation>
    </message>
</context>
<context>
    <name>EmptyDashboard</name>
    <message>
        <source>Begin with an empty one</source>
        <translation>从空白仪表盘开始</translation>
    </message>
    <message>
        <source>Dashboard of {0}</source>
        <translation>为 {0} 生成仪表盘</translation>
    </message>
    <message>
        <source>Making it…</source>
        <translation>正在生成…</translation>
    </message>
    <message>
        <source>Series of the Plots page and every registered command can become a tile.</source>
        <translation>“曲线”页的数据和每一条已注册的命令都可以成为磁贴。</translation>
    </message>
    <message>
        <source>Start the simulator and make its dashboard</source>
        <translation>启动模拟器并生成仪表盘</translation>
    </message>
    <message>
        <source>Tiles show what boards measure, and switch what they move.</source>
        <translation>磁贴显示开发板测到的值，也能控制它的输出。</translation>
    </message>
</context>
<context>
    <name>LedTile</name>
    <message>
        <source>off</source>
        <translation>灭</translation>
    </message>
    <message>
        <source>on</source>
        <translation>亮</translation>
    </message>
</context>
<context>
    <name>NumberTile</name>
    <message>
        <source>max</source>
        <translation>最大</translation>
    </message>
    <message>
        <source>mean</source>
        <translation>平均</translation>
    </message>
    <message>
        <source>min</source>
        <translation>最小</translation>
    </message>
</context>
<context>
    <name>Pages</name>
    <message>
        <source>Dashboard</source>
        <translation>仪表盘</translation>
    </message>
</context>
<context>
    <name>PinMenu</name>
    <message>
        <source>Pin</source>
        <translation>固定</translation>
    </message>
    <message>
        <source>To the dashboard “{0}”</source>
        <translation>到仪表盘“{0}”</translation>
    </message>
    <message>
        <source>To a new dashboard</source>
        <translation>到新的仪表盘</translation>
    </message>
    <message>
        <source>To the chat</source>
        <translation>到对话</translation>
    </message>
</context>
<context>
    <name>PlotMessage</name>
    <message>
        <source>Open plots</source>
        <translation>打开曲线</translation>
    </message>
    <message>
        <source>Take the plot out of the chat</source>
        <translation>从对话中移除该曲线</translation>
    </message>
    <message>
        <source>The plot was taken out.</source>
        <translation>曲线已移除。</translation>
    </message>
    <message>
        <source>last {0} s</source>
        <translation>最近 {0} 秒</translation>
    </message>
    <message>
        <source>no data since {0}</source>
        <translation>自 {0} 起没有数据</translation>
    </message>
    <message>
        <source>no data since the program started</source>
        <translation>程序启动以来没有数据</translation>
    </message>
</context>
<context>
    <name>PlotsPage</name>
    <message>
        <source>Pin</source>
        <translation>固定</translation>
    </message>
    <message>
        <source>Pin…</source>
        <translation>固定…</translation>
    </message>
    <message>
        <source>The plot is in the chat.</source>
        <translation>曲线已放入对话。</translation>
    </message>
</context>
<context>
    <name>PropertySheet</name>
    <message>
        <source>Add tile</source>
        <translation>添加磁贴</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>Title</source>
        <translation>标题</translation>
    </message>
    <message>
        <source>by itself</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>no board</source>
        <translation>不选开发板</translation>
    </message>
</context>
<context>
    <name>ShortcutsSheet</name>
    <message>
        <source>Add a tile</source>
        <translation>添加磁贴</translation>
    </message>
    <message>
        <source>Dashboard</source>
        <translation>仪表盘</translation>
    </message>
    <message>
        <source>Edit, or use again</source>
        <translation>编辑，或回到使用</translation>
    </message>
    <message>
        <source>Fill the screen, or no longer</source>
        <translation>进入或退出全屏</translation>
    </message>
    <message>
        <source>Move the tile; with Shift: resize</source>
        <translation>移动磁贴；加 Shift 调整大小</translation>
    </message>
    <message>
        <source>Properties of the tile</source>
        <translation>磁贴的属性</translation>
    </message>
    <message>
        <source>Remove the tile</source>
        <translation>移除磁贴</translation>
    </message>
    <message>
        <source>Undo, redo</source>
        <translation>撤销、重做</translation>
    </message>
</context>
<context>
    <name>SilentStrip</name>
    <message>
        <source>The board does not report: {0}</source>
        <translation>开发板没有上报：{0}</translation>
    </message>
    <message>
        <source>Let it report</source>
        <translation>开始上报</translation>
    </message>
</context>
<context>
    <name>SliderTile</name>
    <message>
        <source>Slider</source>
        <translation>滑块</translation>
    </message>
</context>
<context>
    <name>StrangeTile</name>
    <message>
        <source>A newer version shows this: {0}</source>
        <translation>需要更新的版本才能显示：{0}</translation>
    </message>
</context>
<context>
    <name>SwitchTile</name>
    <message>
        <source>Switch</source>
        <translation>开关</translation>
    </message>
    <message>
        <source>no command</source>
        <translation>未选命令</translation>
    </message>
    <message>
        <source>off</source>
        <translation>关</translation>
    </message>
    <message>
        <source>on</source>
        <translation>开</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>未知</translation>
    </message>
</context>
<context>
    <name>TextTile</name>
    <message>
        <source>Last line</source>
        <translation>最新一行</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>文字</translation>
    </message>
    <message>
        <source>{0} ago</source>
        <translation>{0} 前</translation>
    </message>
</context>
<context>
    <name>TileFields</name>
    <message>
        <source>Allowed is {0} to {1}.</source>
        <translation>允许范围为 {0} 至 {1}。</translation>
    </message>
    <message>
        <source>At most {0} can be shown.</source>
        <translation>最多显示 {0} 个。</translation>
    </message>
    <message>
        <source>Choose one.</source>
        <translation>请选择。</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Decimals</source>
        <translation>小数位数</translation>
    </message>
    <message>
        <source>From</source>
        <translation>下限</translation>
    </message>
    <message>
        <source>High above</source>
        <translation>偏高阈值</translation>
    </message>
    <message>
        <source>Last line of</source>
        <translation>显示最新一行</translation>
    </message>
    <message>
        <source>Least, mean and most</source>
        <translation>最小、平均与最大值</translation>
    </message>
    <message>
        <source>Limit</source>
        <translation>阈值</translation>
    </message>
    <message>
        <source>Low below</source>
        <translation>偏低阈值</translation>
    </message>
    <message>
        <source>Moves</source>
        <translation>调节的参数</translation>
    </message>
    <message>
        <source>On when the value is</source>
        <translation>点亮条件</translation>
    </message>
    <message>
        <source>Send while it moves</source>
        <translation>拖动时即发送</translation>
    </message>
    <message>
        <source>Series</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>Small line</source>
        <translation>小曲线</translation>
    </message>
    <message>
        <source>Switching off sends</source>
        <translation>关闭时发送</translation>
    </message>
    <message>
        <source>Switching on sends</source>
        <translation>打开时发送</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>文字</translation>
    </message>
    <message>
        <source>This is not one of the choices.</source>
        <translation>不在可选范围内。</translation>
    </message>
    <message>
        <source>This must be a number.</source>
        <translation>必须是数字。</translation>
    </message>
    <message>
        <source>This must be a whole number.</source>
        <translation>必须是整数。</translation>
    </message>
    <message>
        <source>This must be more than {0}.</source>
        <translation>必须大于 {0}。</translation>
    </message>
    <message>
        <source>To</source>
        <translation>上限</translation>
    </message>
    <message>
        <source>Too high above</source>
        <translation>过高阈值</translation>
    </message>
    <message>
        <source>Too low below</source>
        <translation>过低阈值</translation>
    </message>
    <message>
        <source>Unit</source>
        <translation>单位</translation>
    </message>
    <message>
        <source>Window</source>
        <translation>时间窗口</translation>
    </message>
    <message>
        <source>Word for off</source>
        <translation>熄灭时的文字</translation>
    </message>
    <message>
        <source>Word for on</source>
        <translation>点亮时的文字</translation>
    </message>
    <message>
        <source>above the limit</source>
        <translation>高于阈值</translation>
    </message>
    <message>
        <source>below the limit</source>
        <translation>低于阈值</translation>
    </message>
</context>
<context>
    <name>TileFrame</name>
    <message>
        <source>board away</source>
        <translation>开发板不在</translation>
    </message>
    <message>
        <source>no data for {0}</source>
        <translation>{0} 无数据</translation>
    </message>
    <message>
        <source>no data yet</source>
        <translation>尚无数据</translation>
    </message>
</context>
<context>
    <name>TileKinds</name>
    <message>
        <source>Bar</source>
        <translation>条形</translation>
    </message>
    <message>
        <source>Button</source>
        <translation>按钮</translation>
    </message>
    <message>
        <source>Gauge</source>
        <translation>表盘</translation>
    </message>
    <message>
        <source>LED</source>
        <translation>指示灯</translation>
    </message>
    <message>
        <source>Number</source>
        <translation>数值</translation>
    </message>
    <message>
        <source>Plot</source>
        <translation>曲线</translation>
    </message>
    <message>
        <source>Slider</source>
        <translation>滑块</translation>
    </message>
    <message>
        <source>Switch</source>
        <translation>开关</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>文字</translation>
    </message>
</context>
<context>
    <name>UnfitTile</name>
    <message>
        <source>The properties of this tile need a look: {0}</source>
        <translation>请检查该磁贴的属性：{0}</translation>
    </message>
    <message>
        <source>not set</source>
        <translation>未设置</translation>
    </message>
</context>
<context>
    <name>_ScaleTile</name>
    <message>
        <source>above the scale</source>
        <translation>超出上限</translation>
    </message>
    <message>
        <source>below the scale</source>
        <translation>低于下限</translation>
    </message>
    <message>
        <source>high</source>
        <translation>偏高</translation>
    </message>
    <message>
        <source>low</source>
        <translation>偏低</translation>
    </message>
    <message>
        <source>too high</source>
        <translation>过高</translation>
    </message>
    <message>
        <source>too low</source>
        <translation>过低</translation>
    </message>
</context>
<context>
    <name>_SeriesTile</name>
    <message>
        <source>pin {0}</source>
        <translation>引脚 {0}</translation>
    </message>
</context>
</TS>
