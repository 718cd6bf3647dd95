<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>AnalysisControls</name>
    <message>
        <source>Spectrum</source>
        <translation>频谱</translation>
    </message>
    <message>
        <source>Histogram</source>
        <translation>直方图</translation>
    </message>
    <message>
        <source>X-Y</source>
        <translation>X-Y</translation>
    </message>
    <message>
        <source>Flat top</source>
        <translation>平顶窗</translation>
    </message>
    <message>
        <source>Rectangular</source>
        <translation>矩形窗</translation>
    </message>
    <message>
        <source>Amplitude</source>
        <translation>幅值</translation>
    </message>
    <message>
        <source>RMS</source>
        <translation>有效值</translation>
    </message>
    <message>
        <source>dB</source>
        <translation>dB</translation>
    </message>
    <message>
        <source>Density</source>
        <translation>功率密度</translation>
    </message>
    <message>
        <source>Window function: how much a line spreads</source>
        <translation>窗函数：决定谱线展宽的程度</translation>
    </message>
    <message>
        <source>What the height of a line means</source>
        <translation>谱线高度的含义</translation>
    </message>
    <message>
        <source>Number of bins</source>
        <translation>分组数</translation>
    </message>
    <message>
        <source>Series of the horizontal axis</source>
        <translation>横轴的数据系列</translation>
    </message>
    <message>
        <source>Series of the vertical axis</source>
        <translation>纵轴的数据系列</translation>
    </message>
    <message>
        <source>Series that are analysed</source>
        <translation>参与分析的数据系列</translation>
    </message>
    <message>
        <source>Log axis</source>
        <translation>对数轴</translation>
    </message>
    <message>
        <source>Frequency axis in powers of ten</source>
        <translation>频率轴按 10 的幂刻度</translation>
    </message>
    <message>
        <source>Peaks</source>
        <translation>峰值</translation>
    </message>
    <message>
        <source>Mark the highest lines</source>
        <translation>标出最高的谱线</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>占比</translation>
    </message>
    <message>
        <source>Show the share of the samples instead of their number</source>
        <translation>显示样本占比而不是样本数</translation>
    </message>
    <message>
        <source>Mean, σ</source>
        <translation>均值、σ</translation>
    </message>
    <message>
        <source>Mark the mean and one standard deviation around it</source>
        <translation>标出均值及其两侧各一个标准差</translation>
    </message>
    <message>
        <source>Equal axes</source>
        <translation>等比例轴</translation>
    </message>
    <message>
        <source>Make a unit as long on both axes</source>
        <translation>两轴上的单位长度相同</translation>
    </message>
    <message>
        <source>Fade</source>
        <translation>渐隐</translation>
    </message>
    <message>
        <source>Let older points fade</source>
        <translation>较早的点逐渐变淡</translation>
    </message>
    <message>
        <source>Lines</source>
        <translation>连线</translation>
    </message>
    <message>
        <source>Connect the points</source>
        <translation>连接各点</translation>
    </message>
    <message>
        <source>X: {0}</source>
        <translation>X：{0}</translation>
    </message>
    <message>
        <source>Y:</source>
        <translation>Y：</translation>
    </message>
    <message>
        <source>{0} bins</source>
        <translation>{0} 组</translation>
    </message>
    <message>
        <source>Bins: automatic</source>
        <translation>分组：自动</translation>
    </message>
    <message>
        <source>Copy or save the analysis</source>
        <translation>复制或保存分析结果</translation>
    </message>
    <message>
        <source>Close the analysis</source>
        <translation>关闭分析</translation>
    </message>
</context>
<context>
    <name>AnalysisPane</name>
    <message>
        <source>Copy as picture</source>
        <translation>复制为图片</translation>
    </message>
    <message>
        <source>Copy the figures as text</source>
        <translation>将数值复制为文本</translation>
    </message>
    <message>
        <source>Picture (PNG)…</source>
        <translation>图片 (PNG)…</translation>
    </message>
    <message>
        <source>Drawing (SVG)…</source>
        <translation>矢量图 (SVG)…</translation>
    </message>
    <message>
        <source>CSV of what is shown…</source>
        <translation>所示内容的 CSV…</translation>
    </message>
    <message>
        <source>CSV files</source>
        <translation>CSV 文件</translation>
    </message>
    <message>
        <source>PNG pictures</source>
        <translation>PNG 图片</translation>
    </message>
    <message>
        <source>SVG drawings</source>
        <translation>SVG 矢量图</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>The picture is on the clipboard.</source>
        <translation>图片已复制到剪贴板。</translation>
    </message>
    <message>
        <source>The figures are on the clipboard.</source>
        <translation>数值已复制到剪贴板。</translation>
    </message>
    <message>
        <source>The picture could not be written.</source>
        <translation>图片无法写入。</translation>
    </message>
    <message>
        <source>Nothing was saved.</source>
        <translation>没有保存任何内容。</translation>
    </message>
    <message>
        <source>Choose a folder that you may write to.</source>
        <translation>请选择有写入权限的文件夹。</translation>
    </message>
    <message>
        <source>In this stretch of time the two series have no pair of values.</source>
        <translation>在这段时间内，这两个数据系列没有成对的值。</translation>
    </message>
    <message>
        <source>There are no samples in this stretch of time.</source>
        <translation>这段时间内没有样本。</translation>
    </message>
    <message>
        <source>X-Y needs two visible series. Show another one in the list of series.</source>
        <translation>X-Y 图需要两个显示的数据系列，请在系列列表中再显示一个。</translation>
    </message>
    <message>
        <source>No series is visible. Show one in the list of series.</source>
        <translation>没有显示的数据系列，请在系列列表中显示一个。</translation>
    </message>
</context>
<context>
    <name>AnalysisSplitter</name>
    <message>
        <source>Spectrum (FFT)</source>
        <translation>频谱 (FFT)</translation>
    </message>
    <message>
        <source>Histogram</source>
        <translation>直方图</translation>
    </message>
    <message>
        <source>X-Y</source>
        <translation>X-Y</translation>
    </message>
</context>
<context>
    <name>Chart</name>
    <message>
        <source>Analysis</source>
        <translation>分析图</translation>
    </message>
    <message>
        <source>zoomed, double click to fit</source>
        <translation>已缩放，双击还原</translation>
    </message>
</context>
<context>
    <name>FigureList</name>
    <message>
        <source>Figures of the analysis</source>
        <translation>分析数值</translation>
    </message>
</context>
<context>
    <name>HistogramContent</name>
    <message>
        <source>{0} in {1}</source>
        <translation>{0} ({1})</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>数值</translation>
    </message>
    <message>
        <source>Share of the samples in %</source>
        <translation>样本占比 (%)</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>样本数</translation>
    </message>
    <message>
        <source>{0}: only the newest {1} samples of this stretch are counted.</source>
        <translation>{0}：只统计这段时间内最新的 {1} 个样本。</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>均值</translation>
    </message>
    <message>
        <source>Deviation σ</source>
        <translation>标准差 σ</translation>
    </message>
    <message>
        <source>Bins</source>
        <translation>分组数</translation>
    </message>
    <message>
        <source>Bin width</source>
        <translation>组距</translation>
    </message>
</context>
<context>
    <name>PlotToolbar</name>
    <message>
        <source>Analyse: spectrum, histogram or X-Y of what is visible</source>
        <translation>分析可见内容：频谱、直方图或 X-Y</translation>
    </message>
</context>
<context>
    <name>SpectrumContent</name>
    <message>
        <source>Frequency in {0}</source>
        <translation>频率 ({0})</translation>
    </message>
    <message>
        <source>Amplitude</source>
        <translation>幅值</translation>
    </message>
    <message>
        <source>RMS value</source>
        <translation>有效值</translation>
    </message>
    <message>
        <source>Power density</source>
        <translation>功率密度</translation>
    </message>
    <message>
        <source>{0} in {1}</source>
        <translation>{0} ({1})</translation>
    </message>
    <message>
        <source>dB re 1 {0}</source>
        <translation>dB，以 1 {0} 为基准</translation>
    </message>
    <message>
        <source>{0}: {1} of {2} samples were missing or unevenly spaced; they were put on an even grid.</source>
        <translation>{0}：{2} 个样本中有 {1} 个缺失或间隔不均，已插值到等间隔时刻。</translation>
    </message>
    <message>
        <source>{0}: only the newest {1} samples of this stretch are analysed.</source>
        <translation>{0}：只分析这段时间内最新的 {1} 个样本。</translation>
    </message>
    <message>
        <source>{0} does not change in this stretch.</source>
        <translation>{0} 在这段时间内没有变化。</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>样本数</translation>
    </message>
    <message>
        <source>Sample rate</source>
        <translation>采样率</translation>
    </message>
    <message>
        <source>Resolution</source>
        <translation>频率分辨率</translation>
    </message>
    <message>
        <source>Noise bandwidth</source>
        <translation>等效噪声带宽</translation>
    </message>
    <message>
        <source>No line stands out</source>
        <translation>没有突出的谱线</translation>
    </message>
</context>
<context>
    <name>XYContent</name>
    <message>
        <source>Value</source>
        <translation>数值</translation>
    </message>
    <message>
        <source>{0} in {1}</source>
        <translation>{0} ({1})</translation>
    </message>
    <message>
        <source>{0}: only the newest {1} pairs of this stretch are shown.</source>
        <translation>{0}：只显示这段时间内最新的 {1} 对数值。</translation>
    </message>
    <message>
        <source>Pairs</source>
        <translation>数值对</translation>
    </message>
    <message>
        <source>Correlation</source>
        <translation>相关系数</translation>
    </message>
    <message>
        <source>Newest {0}</source>
        <translation>最新 {0}</translation>
    </message>
</context>
<context>
    <name>ShortcutsSheet</name>
    <message>
        <source>Spectrum of what is visible</source>
        <translation>可见区间的频谱</translation>
    </message>
    <message>
        <source>Histogram of what is visible</source>
        <translation>可见区间的直方图</translation>
    </message>
    <message>
        <source>X-Y of what is visible</source>
        <translation>可见区间的 X-Y 图</translation>
    </message>
</context>
</TS>
