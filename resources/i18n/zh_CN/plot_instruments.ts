<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>ColorChoice</name>
    <message>
        <source>Colour {0} of {1}</source>
        <translation>颜色 {0}（共 {1} 种）</translation>
    </message>
</context>
<context>
    <name>FormSheet</name>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
</context>
<context>
    <name>LayoutSheet</name>
    <message>
        <source>The layout needs a name.</source>
        <translation>请给布局取一个名字。</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>替换</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Save the layout</source>
        <translation>保存布局</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>For example: greenhouse</source>
        <translation>例如：温室</translation>
    </message>
    <message>
        <source>A layout of this name is there already; it will be replaced.</source>
        <translation>已有同名布局，将被替换。</translation>
    </message>
</context>
<context>
    <name>LimitsSheet</name>
    <message>
        <source>There is no signal to watch yet.</source>
        <translation>还没有可监视的信号。</translation>
    </message>
    <message>
        <source>The limit must be a number.</source>
        <translation>限值必须是数字。</translation>
    </message>
    <message>
        <source>The hysteresis must be a number of 0 or more.</source>
        <translation>回差必须是不小于 0 的数字。</translation>
    </message>
    <message>
        <source>The limit needs a name.</source>
        <translation>请给限值取一个名字。</translation>
    </message>
    <message>
        <source>Change the limit</source>
        <translation>修改限值</translation>
    </message>
    <message>
        <source>Watch this limit</source>
        <translation>监视此限值</translation>
    </message>
    <message>
        <source>Alarm</source>
        <translation>报警</translation>
    </message>
    <message>
        <source>In order</source>
        <translation>正常</translation>
    </message>
    <message>
        <source>Change {0}</source>
        <translation>修改 {0}</translation>
    </message>
    <message>
        <source>Forget {0}</source>
        <translation>删除 {0}</translation>
    </message>
    <message>
        <source>Limits</source>
        <translation>限值</translation>
    </message>
    <message>
        <source>A crossed limit is marked on the plot and told at the foot of the window. It is watched as long as the program runs, also while another page is open, and is there again at the next start.</source>
        <translation>越过限值时会在曲线图上做标记，并在窗口底部提示。只要程序在运行就会监视，打开其他页面时也一样；下次启动后仍然有效。</translation>
    </message>
    <message>
        <source>Signal</source>
        <translation>信号</translation>
    </message>
    <message>
        <source>Alarm when</source>
        <translation>报警条件</translation>
    </message>
    <message>
        <source>Limit</source>
        <translation>限值</translation>
    </message>
    <message>
        <source>Hysteresis</source>
        <translation>回差</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>at or above</source>
        <translation>达到或高于</translation>
    </message>
    <message>
        <source>at or below</source>
        <translation>达到或低于</translation>
    </message>
    <message>
        <source>How far the value must be back before the alarm ends</source>
        <translation>数值退回多少之后报警才解除</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>MeasurePanel</name>
    <message>
        <source>Visible stretch: {0}</source>
        <translation>可见区间：{0}</translation>
    </message>
    <message>
        <source>Between A and B: Δt {0}</source>
        <translation>A 与 B 之间：Δt {0}</translation>
    </message>
    <message>
        <source>Copy the figures as a table</source>
        <translation>以表格形式复制统计值</translation>
    </message>
    <message>
        <source>Close the figures</source>
        <translation>关闭统计值</translation>
    </message>
    <message>
        <source>Figures of the series</source>
        <translation>曲线的统计值</translation>
    </message>
    <message>
        <source>Series</source>
        <translation>曲线</translation>
    </message>
    <message>
        <source>Slope</source>
        <translation>斜率</translation>
    </message>
    <message>
        <source>Min</source>
        <translation>最小</translation>
    </message>
    <message>
        <source>Max</source>
        <translation>最大</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>平均</translation>
    </message>
    <message>
        <source>Std dev</source>
        <translation>标准差</translation>
    </message>
    <message>
        <source>Peak-peak</source>
        <translation>峰峰值</translation>
    </message>
    <message>
        <source>Rate/Hz</source>
        <translation>采样率/Hz</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>样本数</translation>
    </message>
    <message>
        <source>Gaps</source>
        <translation>缺失</translation>
    </message>
    <message>
        <source>Value of the sample nearest to cursor A</source>
        <translation>离光标 A 最近的样本值</translation>
    </message>
    <message>
        <source>Value of the sample nearest to cursor B</source>
        <translation>离光标 B 最近的样本值</translation>
    </message>
    <message>
        <source>Value at B minus value at A</source>
        <translation>B 处的值减去 A 处的值</translation>
    </message>
    <message>
        <source>Change of the value in a second, from A to B</source>
        <translation>从 A 到 B 每秒的变化量</translation>
    </message>
    <message>
        <source>Arithmetic mean</source>
        <translation>算术平均值</translation>
    </message>
    <message>
        <source>Standard deviation: how far the values are from their mean</source>
        <translation>标准差：数值偏离平均值的程度</translation>
    </message>
    <message>
        <source>Root of the mean square</source>
        <translation>均方根</translation>
    </message>
    <message>
        <source>Greatest minus smallest value</source>
        <translation>最大值减最小值</translation>
    </message>
    <message>
        <source>Samples in a second</source>
        <translation>每秒样本数</translation>
    </message>
    <message>
        <source>Samples without a value, such as nan</source>
        <translation>没有数值的样本，例如 nan</translation>
    </message>
</context>
<context>
    <name>PlotToolbar</name>
    <message>
        <source>Trigger</source>
        <translation>触发</translation>
    </message>
    <message>
        <source>Together</source>
        <translation>合并</translation>
    </message>
    <message>
        <source>One panel for each unit, one for each series, or one for all</source>
        <translation>按单位分栏、每条曲线一栏，或全部合为一栏</translation>
    </message>
    <message>
        <source>How panels are formed</source>
        <translation>分栏方式</translation>
    </message>
    <message>
        <source>Cursors with differences (C)</source>
        <translation>光标与差值（C）</translation>
    </message>
    <message>
        <source>Figures of the visible stretch (M)</source>
        <translation>可见区间的统计值（M）</translation>
    </message>
    <message>
        <source>Trigger (T)</source>
        <translation>触发（T）</translation>
    </message>
    <message>
        <source>View</source>
        <translation>视图</translation>
    </message>
</context>
<context>
    <name>PlotsPage</name>
    <message>
        <source>Layout saved: {0}</source>
        <translation>布局已保存：{0}</translation>
    </message>
    <message>
        <source>Colour, unit and scale…</source>
        <translation>颜色、单位与换算…</translation>
    </message>
    <message>
        <source>Set a limit…</source>
        <translation>设置限值…</translation>
    </message>
    <message>
        <source>Trigger on it</source>
        <translation>用它触发</translation>
    </message>
    <message>
        <source>Show only this series</source>
        <translation>只显示这条曲线</translation>
    </message>
    <message>
        <source>Show all series</source>
        <translation>显示全部曲线</translation>
    </message>
</context>
<context>
    <name>RangeSheet</name>
    <message>
        <source>No panel is shown.</source>
        <translation>没有显示任何栏。</translation>
    </message>
    <message>
        <source>Both ends must be numbers.</source>
        <translation>上下限都必须是数字。</translation>
    </message>
    <message>
        <source>The upper end must be above the lower one.</source>
        <translation>上限必须大于下限。</translation>
    </message>
    <message>
        <source>Range of a value axis</source>
        <translation>数值轴的范围</translation>
    </message>
    <message>
        <source>Panel</source>
        <translation>栏</translation>
    </message>
    <message>
        <source>From</source>
        <translation>从</translation>
    </message>
    <message>
        <source>To</source>
        <translation>到</translation>
    </message>
</context>
<context>
    <name>SeriesList</name>
    <message>
        <source>Alarm</source>
        <translation>报警</translation>
    </message>
</context>
<context>
    <name>SeriesSheet</name>
    <message>
        <source>As the page says</source>
        <translation>按页面设置</translation>
    </message>
    <message>
        <source>Panel {0}</source>
        <translation>第 {0} 栏</translation>
    </message>
    <message>
        <source>The scale needs two numbers; the first cannot be 0.</source>
        <translation>换算需要两个数字，第一个不能为 0。</translation>
    </message>
    <message>
        <source>Colour</source>
        <translation>颜色</translation>
    </message>
    <message>
        <source>Unit</source>
        <translation>单位</translation>
    </message>
    <message>
        <source>Scale: times</source>
        <translation>换算：乘以</translation>
    </message>
    <message>
        <source>Scale: plus</source>
        <translation>换算：加上</translation>
    </message>
    <message>
        <source>Panel</source>
        <translation>栏</translation>
    </message>
    <message>
        <source>Newest value</source>
        <translation>最新值</translation>
    </message>
    <message>
        <source>As the board sends it</source>
        <translation>恢复开发板的原值</translation>
    </message>
</context>
<context>
    <name>ShortcutsSheet</name>
    <message>
        <source>Cursors, figures, trigger</source>
        <translation>光标、统计值、触发</translation>
    </message>
    <message>
        <source>Limits</source>
        <translation>限值</translation>
    </message>
    <message>
        <source>Previous view</source>
        <translation>上一个视图</translation>
    </message>
</context>
<context>
    <name>TriggerBar</name>
    <message>
        <source>Not possible</source>
        <translation>无法触发</translation>
    </message>
    <message>
        <source>Triggered once</source>
        <translation>已触发一次</translation>
    </message>
    <message>
        <source>Triggered</source>
        <translation>已触发</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>等待触发</translation>
    </message>
    <message>
        <source>rises through</source>
        <translation>上升穿过</translation>
    </message>
    <message>
        <source>falls through</source>
        <translation>下降穿过</translation>
    </message>
    <message>
        <source>is above</source>
        <translation>高于</translation>
    </message>
    <message>
        <source>is below</source>
        <translation>低于</translation>
    </message>
    <message>
        <source>Auto</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>Normal</source>
        <translation>正常</translation>
    </message>
    <message>
        <source>Single</source>
        <translation>单次</translation>
    </message>
    <message>
        <source>Auto shows the present when nothing triggers, Normal keeps the last trigger, Single stops after one</source>
        <translation>自动：没有触发时显示当前信号；正常：保留上一次触发；单次：触发一次后停止</translation>
    </message>
    <message>
        <source>level</source>
        <translation>电平</translation>
    </message>
    <message>
        <source>hysteresis</source>
        <translation>回差</translation>
    </message>
    <message>
        <source>before</source>
        <translation>触发前</translation>
    </message>
    <message>
        <source>Share of the window that lies before the trigger</source>
        <translation>触发点之前的部分占窗口的比例</translation>
    </message>
    <message>
        <source>Arm again</source>
        <translation>重新等待</translation>
    </message>
    <message>
        <source>Switch the trigger off</source>
        <translation>关闭触发</translation>
    </message>
    <message>
        <source>Signal that triggers</source>
        <translation>触发信号</translation>
    </message>
    <message>
        <source>When it triggers</source>
        <translation>触发条件</translation>
    </message>
    <message>
        <source>Level</source>
        <translation>电平</translation>
    </message>
    <message>
        <source>Hysteresis</source>
        <translation>回差</translation>
    </message>
</context>
<context>
    <name>ViewMenu</name>
    <message>
        <source>Cursors</source>
        <translation>光标</translation>
    </message>
    <message>
        <source>Figures</source>
        <translation>统计值</translation>
    </message>
    <message>
        <source>Trigger</source>
        <translation>触发</translation>
    </message>
    <message>
        <source>Limits…</source>
        <translation>限值…</translation>
    </message>
    <message>
        <source>Lock the time axis</source>
        <translation>锁定时间轴</translation>
    </message>
    <message>
        <source>Lock the value axes</source>
        <translation>锁定数值轴</translation>
    </message>
    <message>
        <source>Range of a value axis…</source>
        <translation>数值轴的范围…</translation>
    </message>
    <message>
        <source>Previous view</source>
        <translation>上一个视图</translation>
    </message>
    <message>
        <source>Save the layout…</source>
        <translation>保存布局…</translation>
    </message>
    <message>
        <source>Forget a layout</source>
        <translation>删除布局</translation>
    </message>
</context>
</TS>
