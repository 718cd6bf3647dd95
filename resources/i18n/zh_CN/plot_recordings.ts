<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN">
<context>
    <name>PlotToolbar</name>
    <message><source>Stop recording</source><translation>停止录制</translation></message>
    <message><source>Record everything that comes…</source><translation>录制收到的全部数据…</translation></message>
    <message><source>Open a recording</source><translation>打开录制文件</translation></message>
    <message><source>Sources, counters and memory…</source><translation>来源、计数与内存…</translation></message>
    <message><source>Replay</source><translation>回放</translation></message>
</context>
<context>
    <name>ExportActions</name>
    <message><source>CSV files</source><translation>CSV 文件</translation></message>
    <message><source>Parquet files</source><translation>Parquet 文件</translation></message>
    <message><source>PNG pictures</source><translation>PNG 图片</translation></message>
    <message><source>SVG drawings</source><translation>SVG 矢量图</translation></message>
    <message><source>The picture is on the clipboard.</source><translation>图片已复制到剪贴板。</translation></message>
    <message><source>Reading the recording to its end</source><translation>正在读到录制文件的末尾</translation></message>
    <message><source>Export</source><translation>导出</translation></message>
    <message><source>Open folder</source><translation>打开文件夹</translation></message>
    <message><source>CSV, everything that is kept…</source><translation>CSV，全部保留的数据…</translation></message>
    <message><source>CSV, only what is visible…</source><translation>CSV，仅当前可见部分…</translation></message>
    <message><source>Form of CSV files…</source><translation>CSV 文件的格式…</translation></message>
    <message><source>Parquet, everything that is kept…</source><translation>Parquet，全部保留的数据…</translation></message>
    <message><source>Parquet, only what is visible…</source><translation>Parquet，仅当前可见部分…</translation></message>
    <message><source>Picture (PNG)…</source><translation>图片（PNG）…</translation></message>
    <message><source>Drawing (SVG)…</source><translation>矢量图（SVG）…</translation></message>
    <message><source>Copy as picture</source><translation>复制为图片</translation></message>
    <message><source>Saved: {0}</source><translation>已保存：{0}</translation></message>
    <message><source>Writing {0}</source><translation>正在写入 {0}</translation></message>
    <message><source>The export was cancelled; no file was left.</source><translation>已取消导出，没有留下文件。</translation></message>
    <message><source>Parquet files need an extra that is not installed.</source><translation>导出 Parquet 文件需要一个尚未安装的附加组件。</translation></message>
    <message><source>Nothing was saved.</source><translation>没有保存任何内容。</translation></message>
    <message><source>Install it as below and start again, or export CSV.</source><translation>请按下面的命令安装后重新启动，或改为导出 CSV。</translation></message>
    <message><source>The picture could not be written.</source><translation>无法写入图片。</translation></message>
    <message><source>Choose a folder that you may write to.</source><translation>请选择有写入权限的文件夹。</translation></message>
</context>
<context>
    <name>CsvSheet</name>
    <message><source>A comma cannot separate cells and decimals at once. Choose another separator.</source><translation>逗号不能既分隔单元格又作小数点，请换一种分隔符。</translation></message>
    <message><source>Form of CSV files</source><translation>CSV 文件的格式</translation></message>
    <message><source>Between cells</source><translation>单元格之间</translation></message>
    <message><source>Decimals</source><translation>小数</translation></message>
    <message><source>Time</source><translation>时间</translation></message>
    <message><source>Rows and columns</source><translation>行与列</translation></message>
    <message><source>Comma ,</source><translation>逗号 ,</translation></message>
    <message><source>Semicolon ;</source><translation>分号 ;</translation></message>
    <message><source>Tab</source><translation>制表符</translation></message>
    <message><source>Point: 1.5</source><translation>小数点：1.5</translation></message>
    <message><source>Comma: 1,5</source><translation>逗号：1,5</translation></message>
    <message><source>Seconds</source><translation>秒</translation></message>
    <message><source>Date and time (ISO 8601, UTC)</source><translation>日期和时间（ISO 8601，UTC）</translation></message>
    <message><source>A column for each series</source><translation>每条曲线一列</translation></message>
    <message><source>A row for each sample</source><translation>每个样本一行</translation></message>
</context>
<context>
    <name>PageNews</name>
    <message><source>Cancel</source><translation>取消</translation></message>
</context>
<context>
    <name>ReplayBar</name>
    <message><source>Replay</source><translation>回放</translation></message>
    <message><source>Back to live</source><translation>回到实时</translation></message>
    <message><source>A step back</source><translation>后退一步</translation></message>
    <message><source>A step on</source><translation>前进一步</translation></message>
    <message><source>Position in the recording</source><translation>录制中的位置</translation></message>
    <message><source>Speed</source><translation>速度</translation></message>
    <message><source>As fast as it goes</source><translation>尽可能快</translation></message>
    <message><source>Pause the replay</source><translation>暂停回放</translation></message>
    <message><source>Play</source><translation>播放</translation></message>
    <message><source>{0} damaged, left out</source><translation>{0} 已损坏并跳过</translation></message>
</context>
<context>
    <name>RecordStrip</name>
    <message><source>Recording</source><translation>录制中</translation></message>
    <message><source>Stop recording</source><translation>停止录制</translation></message>
    <message><source>{0} bytes lost: the disk is too slow</source><translation>丢失 {0} 字节：磁盘太慢</translation></message>
</context>
<context>
    <name>Recordings</name>
    <message><source>Record</source><translation>录制</translation></message>
    <message><source>Recordings</source><translation>录制文件</translation></message>
    <message><source>Open here</source><translation>在此打开</translation></message>
    <message><source>Open recording…</source><translation>打开录制文件…</translation></message>
    <message><source>Open recording</source><translation>打开录制文件</translation></message>
    <message><source>Open folder</source><translation>打开文件夹</translation></message>
    <message><source>Recent</source><translation>最近</translation></message>
    <message><source>All files</source><translation>所有文件</translation></message>
    <message><source>Recorded: {0}</source><translation>已录制：{0}</translation></message>
</context>
<context>
    <name>NetInputs</name>
    <message><source>Broker…</source><translation>服务器…</translation></message>
</context>
<context>
    <name>AddPort</name>
    <message><source>Descriptions of frames</source><translation>帧的描述</translation></message>
    <message><source>Choose a description of frames</source><translation>选择帧的描述文件</translation></message>
    <message><source>Serial port</source><translation>串口</translation></message>
    <message><source>Baud</source><translation>波特率</translation></message>
    <message><source>Encoding</source><translation>编码</translation></message>
    <message><source>Binary frames (TOML)</source><translation>二进制帧（TOML）</translation></message>
    <message><source>Lines a second</source><translation>每秒行数</translation></message>
    <message><source>empty: lines of text</source><translation>留空：文本行</translation></message>
    <message><source>0: times come from the board's clock, or else from the arrival of each line</source><translation>0：时间取自开发板的时钟，没有时取每行到达的时刻</translation></message>
    <message><source>Look for ports again</source><translation>重新查找串口</translation></message>
    <message><source>Listen to this port</source><translation>监听此串口</translation></message>
    <message><source>Port, baud rate or line rate is missing or no number.</source><translation>串口、波特率或每秒行数缺失，或不是数字。</translation></message>
    <message><source>For example: /dev/ttyUSB0 or COM5, 115200, 0.</source><translation>例如：/dev/ttyUSB0 或 COM5，115200，0。</translation></message>
</context>
<context>
    <name>SourceWords</name>
    <message><source>{0} samples</source><translation>{0} 个样本</translation></message>
    <message><source>{0} stored</source><translation>已存 {0}</translation></message>
    <message><source>Board</source><translation>开发板</translation></message>
    <message><source>UDP sender</source><translation>UDP 发送者</translation></message>
    <message><source>MQTT topics</source><translation>MQTT 主题</translation></message>
    <message><source>Port without protocol</source><translation>无协议串口</translation></message>
    <message><source>These lines look like Teleplot's but lack the &gt; in front, so nothing is plotted. Print for example &gt;temp:1627551892437:23.5</source><translation>这些行像 Teleplot 格式，但行首缺少 &gt;，因此没有绘制。请打印成例如 &gt;temp:1627551892437:23.5</translation></message>
    <message><source>Lines arrive, but none has a value that can be plotted. Understood are temp:23.5, light=512, 1.2,3.4 (CSV), &gt;temp:23.5 (Teleplot) and JSON such as {"temp": 23.5}, each on its own line. If the lines look wrong, choose another baud rate or encoding.</source><translation>收到了数据行，但没有可以绘制的数值。能识别的格式有 temp:23.5、light=512、1.2,3.4（CSV）、&gt;temp:23.5（Teleplot）以及 {"temp": 23.5} 这样的 JSON，每条各占一行。如果内容像乱码，请换一个波特率或编码。</translation></message>
    <message><source>Connected</source><translation>已连接</translation></message>
    <message><source>Waited for</source><translation>等待接入</translation></message>
    <message><source>Being flashed</source><translation>烧录中</translation></message>
    <message><source>Not connected</source><translation>未连接</translation></message>
    <message><source>{0} frames</source><translation>{0} 帧</translation></message>
    <message><source>{0} lines of text</source><translation>{0} 行文本</translation></message>
    <message><source>{0} replies</source><translation>{0} 条应答</translation></message>
    <message><source>{0} lines that are no text</source><translation>{0} 行不是文本</translation></message>
    <message><source>{0} lines cut</source><translation>{0} 行被截断</translation></message>
    <message><source>{0} wrong checksums</source><translation>{0} 次校验和错误</translation></message>
    <message><source>{0} frames of a wrong length</source><translation>{0} 帧长度不符</translation></message>
    <message><source>{0} bytes left out</source><translation>跳过 {0} 字节</translation></message>
    <message><source>{0} lines</source><translation>{0} 行</translation></message>
</context>
<context>
    <name>MemoryLine</name>
    <message><source>The memory is full: {0} samples found no place. Allow more, or clear the curves.</source><translation>内存已用满：{0} 个样本没有位置。请增加上限或清空曲线。</translation></message>
    <message><source>may take, in MB</source><translation>上限（MB）</translation></message>
    <message><source>Memory for all series, in MB</source><translation>所有曲线可用的内存（MB）</translation></message>
    <message><source>Memory of the series</source><translation>曲线占用的内存</translation></message>
    <message><source>The memory is full: series keep fewer old samples than they would.</source><translation>内存已用满：各曲线保留的旧样本比设置的少。</translation></message>
    <message><source>{0} of {1} MB</source><translation>{0} / {1} MB</translation></message>
</context>
<context>
    <name>SourcesSheet</name>
    <message><source>Sources</source><translation>数据来源</translation></message>
    <message><source>What comes in</source><translation>正在接收</translation></message>
    <message><source>Listen to another port</source><translation>监听其他串口</translation></message>
    <message><source>Network</source><translation>网络</translation></message>
    <message><source>Memory</source><translation>内存</translation></message>
    <message><source>Nothing yet. Connect a board on the Devices page, or take a port below.</source><translation>还没有来源。请在“设备”页连接开发板，或在下面添加串口。</translation></message>
</context>
<context>
    <name>SourceCard</name>
    <message><source>Let go</source><translation>释放</translation></message>
    <message><source>Encoding</source><translation>编码</translation></message>
    <message><source>Time</source><translation>时间</translation></message>
    <message><source>lines/s</source><translation>行/秒</translation></message>
    <message><source>The port is not there now; it is listened to as soon as it is.</source><translation>串口现在不在，一旦接入就会开始监听。</translation></message>
    <message><source>Clock of the board</source><translation>开发板的时钟</translation></message>
    <message><source>Time of arrival</source><translation>到达时刻</translation></message>
    <message><source>Equal distances</source><translation>等间隔</translation></message>
</context>
</TS>
