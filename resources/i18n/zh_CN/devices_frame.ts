<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>AddBoardSheet</name>
    <message>
        <source>Network (TCP)</source>
        <translation>网络（TCP）</translation>
    </message>
    <message>
        <source>Arduino Uno Q (its text bridge)</source>
        <translation>Arduino Uno Q（自带文本桥接）</translation>
    </message>
    <message>
        <source>MQTT</source>
        <translation>MQTT</translation>
    </message>
    <message>
        <source>MicroPython on a serial port</source>
        <translation>串口上的 MicroPython</translation>
    </message>
    <message>
        <source>Pins of this Raspberry Pi</source>
        <translation>本机树莓派的引脚</translation>
    </message>
    <message>
        <source>A board with WiFi or a bridge program that speaks the ZeroClaw protocol.</source>
        <translation>使用 ZeroClaw 协议的 WiFi 开发板或桥接程序。</translation>
    </message>
    <message>
        <source>The bridge on the Linux side of the board. It can only read and switch pins.</source>
        <translation>运行在板上 Linux 一侧的桥接程序，只能读取和开关引脚。</translation>
    </message>
    <message>
        <source>A board that gets its commands from a broker. The password goes to the keyring.</source>
        <translation>通过代理接收命令的开发板。密码保存在系统密钥环中。</translation>
    </message>
    <message>
        <source>Any board with MicroPython. Nothing is written to it.</source>
        <translation>任何装有 MicroPython 的开发板，不会向其写入任何内容。</translation>
    </message>
    <message>
        <source>The 40-pin header of the computer that this program runs on.</source>
        <translation>运行本程序的计算机上的 40 针排针。</translation>
    </message>
    <message>
        <source>Add a board</source>
        <translation>添加开发板</translation>
    </message>
    <message>
        <source>Add and connect</source>
        <translation>添加并连接</translation>
    </message>
    <message>
        <source>How it is reached</source>
        <translation>连接方式</translation>
    </message>
    <message>
        <source>Host</source>
        <translation>主机</translation>
    </message>
    <message>
        <source>Port</source>
        <translation>端口</translation>
    </message>
    <message>
        <source>Encrypted (TLS)</source>
        <translation>加密（TLS）</translation>
    </message>
    <message>
        <source>Topic</source>
        <translation>主题</translation>
    </message>
    <message>
        <source>User</source>
        <translation>用户</translation>
    </message>
    <message>
        <source>Password</source>
        <translation>密码</translation>
    </message>
    <message>
        <source>Serial port</source>
        <translation>串口</translation>
    </message>
    <message>
        <source>Chip</source>
        <translation>芯片</translation>
    </message>
    <message>
        <source>Kind of board</source>
        <translation>板型</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>optional</source>
        <translation>可选</translation>
    </message>
</context>
<context>
    <name>BoardCard</name>
    <message>
        <source>Forget this board with its name, pins and password</source>
        <translation>移除此开发板及其名称、引脚和密码</translation>
    </message>
    <message>
        <source>Flashing</source>
        <translation>烧录中</translation>
    </message>
    <message>
        <source>Show progress</source>
        <translation>查看进度</translation>
    </message>
    <message>
        <source>Flash board</source>
        <translation>烧录固件</translation>
    </message>
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
        <source>Connection lost</source>
        <translation>连接中断</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>Simulated</source>
        <translation>模拟</translation>
    </message>
    <message>
        <source>A simplified simulation: the protocol is real, but no firmware runs inside.</source>
        <translation>简化模拟：协议是真实的，但里面没有运行固件。</translation>
    </message>
    <message>
        <source>Disconnect</source>
        <translation>断开</translation>
    </message>
    <message>
        <source>Connect</source>
        <translation>连接</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Stop the simulated board and remove its card</source>
        <translation>停止模拟开发板并移除这张卡片</translation>
    </message>
    <message>
        <source>Use in chat</source>
        <translation>在对话中使用</translation>
    </message>
    <message>
        <source>Serial console</source>
        <translation>串口控制台</translation>
    </message>
    <message>
        <source>none has answered</source>
        <translation>没有固件回应</translation>
    </message>
    <message>
        <source>Firmware</source>
        <translation>固件</translation>
    </message>
    <message>
        <source>Port</source>
        <translation>端口</translation>
    </message>
</context>
<context>
    <name>ConsoleView</name>
    <message>
        <source>The last {0} lines are kept.</source>
        <translation>保留最近 {0} 行。</translation>
    </message>
    <message>
        <source>Lines come faster than they can be read: the newest are shown, the others after it.</source>
        <translation>数据到来太快，无法逐行阅读：现在只显示最新的行，其余稍后补上。</translation>
    </message>
    <message>
        <source>Nothing received yet.</source>
        <translation>还没有收到数据。</translation>
    </message>
    <message>
        <source>Text received from the board</source>
        <translation>从开发板收到的文本</translation>
    </message>
    <message>
        <source>Send a line to the board</source>
        <translation>向开发板发送一行</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>发送</translation>
    </message>
    <message>
        <source>Line end of Settings</source>
        <translation>设置中的行尾</translation>
    </message>
    <message>
        <source>No line end</source>
        <translation>无行尾</translation>
    </message>
    <message>
        <source>Line end</source>
        <translation>行尾</translation>
    </message>
    <message>
        <source>Save the shown lines</source>
        <translation>保存显示的内容</translation>
    </message>
    <message>
        <source>Log files</source>
        <translation>日志文件</translation>
    </message>
    <message>
        <source>The lines could not be saved.</source>
        <translation>无法保存这些内容。</translation>
    </message>
    <message>
        <source>The file may be missing or incomplete.</source>
        <translation>文件可能缺失或不完整。</translation>
    </message>
    <message>
        <source>Choose a folder that you may write to.</source>
        <translation>请选择可以写入的文件夹。</translation>
    </message>
</context>
<context>
    <name>ConsoleTools</name>
    <message>
        <source>Show lines with…</source>
        <translation>只显示包含…的行</translation>
    </message>
    <message>
        <source>Times</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>When each line came</source>
        <translation>每行到达的时间</translation>
    </message>
    <message>
        <source>Hex</source>
        <translation>十六进制</translation>
    </message>
    <message>
        <source>Show the bytes of each line</source>
        <translation>显示每行的字节</translation>
    </message>
    <message>
        <source>Encoding of the text</source>
        <translation>文字编码</translation>
    </message>
    <message>
        <source>To the end</source>
        <translation>到末尾</translation>
    </message>
    <message>
        <source>Save the shown lines</source>
        <translation>保存显示的内容</translation>
    </message>
    <message>
        <source>Clear the console</source>
        <translation>清空控制台</translation>
    </message>
</context>
<context>
    <name>DevicesPage</name>
    <message>
        <source>Boards that you plug in by USB show up here by themselves.</source>
        <translation>用 USB 插上的开发板会自动出现在这里。</translation>
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
        <source>Add a board by its address…</source>
        <translation>按地址添加开发板…</translation>
    </message>
    <message>
        <source>Looking for boards…</source>
        <translation>正在查找开发板…</translation>
    </message>
</context>
<context>
    <name>DropArea</name>
    <message>
        <source>Or drop your own file here: {0}</source>
        <translation>也可以把自己的文件拖到这里：{0}</translation>
    </message>
    <message>
        <source>Choose a file</source>
        <translation>选择文件</translation>
    </message>
</context>
<context>
    <name>ErrorCard</name>
    <message>
        <source>Flash without saving</source>
        <translation>不保存，直接烧录</translation>
    </message>
    <message>
        <source>Technical details</source>
        <translation>技术细节</translation>
    </message>
    <message>
        <source>Dismiss</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Start the simulator</source>
        <translation>启动模拟器</translation>
    </message>
    <message>
        <source>Connect</source>
        <translation>连接</translation>
    </message>
    <message>
        <source>Connect again</source>
        <translation>重新连接</translation>
    </message>
    <message>
        <source>Choose another firmware</source>
        <translation>换一个固件</translation>
    </message>
    <message>
        <source>Flash board</source>
        <translation>烧录固件</translation>
    </message>
    <message>
        <source>Release the stop</source>
        <translation>解除停止</translation>
    </message>
    <message>
        <source>Open settings</source>
        <translation>打开设置</translation>
    </message>
    <message>
        <source>Open devices</source>
        <translation>打开设备</translation>
    </message>
    <message>
        <source>Open the log</source>
        <translation>打开日志</translation>
    </message>
    <message>
        <source>Look again</source>
        <translation>重新查找</translation>
    </message>
    <message>
        <source>Show help</source>
        <translation>查看帮助</translation>
    </message>
</context>
<context>
    <name>SaveFirst</name>
    <message>
        <source>Save what is on the board first</source>
        <translation>先保存开发板上现有的内容</translation>
    </message>
    <message>
        <source>It can then be written back. Takes seconds on an Arduino, minutes on an ESP32.</source>
        <translation>以后可以写回。Arduino 需要几秒，ESP32 需要几分钟。</translation>
    </message>
</context>
<context>
    <name>BootModeHelp</name>
    <message>
        <source>1. Hold BOOT.  2. Press EN (or RST) and let it go.  3. Let go of BOOT.</source>
        <translation>1. 按住 BOOT。2. 按一下 EN（或 RST）再松开。3. 松开 BOOT。</translation>
    </message>
    <message>
        <source>No BOOT button? Connect GPIO0 (on C3 and C6 GPIO9) to GND while you press EN.</source>
        <translation>没有 BOOT 键？按 EN 时把 GPIO0（C3、C6 为 GPIO9）接到 GND。</translation>
    </message>
    <message>
        <source>I have done that</source>
        <translation>我已照做</translation>
    </message>
</context>
<context>
    <name>FlashSheet</name>
    <message>
        <source>The file is being checked.</source>
        <translation>正在检查文件。</translation>
    </message>
    <message>
        <source>Saved before</source>
        <translation>烧录前的内容</translation>
    </message>
    <message>
        <source>The firmware is written and verified.</source>
        <translation>固件已写入并校验通过。</translation>
    </message>
    <message>
        <source>Saving what is on the board</source>
        <translation>正在保存开发板上的内容</translation>
    </message>
    <message>
        <source>So that it can be written back. Once for each board.</source>
        <translation>以便日后写回。每块板只做一次。</translation>
    </message>
    <message>
        <source>Press EN (or RST) once if the board does not start by itself.</source>
        <translation>如果开发板没有自己启动，请按一下 EN（或 RST）。</translation>
    </message>
    <message>
        <source>Skip saving</source>
        <translation>跳过保存</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Write to the board</source>
        <translation>写入开发板</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Board</source>
        <translation>开发板</translation>
    </message>
    <message>
        <source>Port</source>
        <translation>端口</translation>
    </message>
    <message>
        <source>Now on it</source>
        <translation>现有固件</translation>
    </message>
    <message>
        <source>not known</source>
        <translation>未知</translation>
    </message>
    <message>
        <source>New firmware</source>
        <translation>新固件</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>The program on the board is replaced. Console and plots pause until it is written.</source>
        <translation>开发板上原有的程序会被替换。写完之前，串口控制台和曲线暂停。</translation>
    </message>
    <message>
        <source>The firmware is written, verified and running.</source>
        <translation>固件已写入、校验通过，并已开始运行。</translation>
    </message>
    <message>
        <source>The firmware is written. This way cannot read it back to compare it.</source>
        <translation>固件已写入。这种方式无法读回并比较。</translation>
    </message>
    <message>
        <source>Copying</source>
        <translation>正在复制</translation>
    </message>
    <message>
        <source>The board answered</source>
        <translation>开发板回应</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>用时</translation>
    </message>
    <message>
        <source>Flashing was cancelled.</source>
        <translation>烧录已取消。</translation>
    </message>
    <message>
        <source>The firmware is not complete, so the board may do nothing now.</source>
        <translation>固件不完整，开发板现在可能无法工作。</translation>
    </message>
    <message>
        <source>Write it again, or choose another firmware.</source>
        <translation>请重新写入，或换一个固件。</translation>
    </message>
    <message>
        <source>Choose a firmware file</source>
        <translation>选择固件文件</translation>
    </message>
    <message>
        <source>Firmware files</source>
        <translation>固件文件</translation>
    </message>
    <message>
        <source>Looking for the board</source>
        <translation>正在查找开发板</translation>
    </message>
    <message>
        <source>Preparing</source>
        <translation>正在准备</translation>
    </message>
    <message>
        <source>Erasing</source>
        <translation>正在擦除</translation>
    </message>
    <message>
        <source>Writing</source>
        <translation>正在写入</translation>
    </message>
    <message>
        <source>Verifying</source>
        <translation>正在校验</translation>
    </message>
    <message>
        <source>Restarting the board</source>
        <translation>正在重启开发板</translation>
    </message>
    <message>
        <source>Waiting for the new firmware</source>
        <translation>等待新固件回应</translation>
    </message>
    <message>
        <source>Flash {0}</source>
        <translation>烧录 {0}</translation>
    </message>
    <message>
        <source>Choose</source>
        <translation>选择</translation>
    </message>
    <message>
        <source>Check</source>
        <translation>确认</translation>
    </message>
    <message>
        <source>Write</source>
        <translation>写入</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>返回</translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <source>Welcome</source>
        <translation>欢迎</translation>
    </message>
</context>
<context>
    <name>Pages</name>
    <message>
        <source>Chat</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>Devices</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Plots</source>
        <translation>曲线</translation>
    </message>
    <message>
        <source>Logs</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
</context>
<context>
    <name>PinMarks</name>
    <message>
        <source>input</source>
        <translation>输入</translation>
    </message>
    <message>
        <source>input with pull-up</source>
        <translation>上拉输入</translation>
    </message>
    <message>
        <source>output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>PWM output</source>
        <translation>PWM 输出</translation>
    </message>
    <message>
        <source>servo</source>
        <translation>舵机</translation>
    </message>
    <message>
        <source>analog input</source>
        <translation>模拟输入</translation>
    </message>
    <message>
        <source>serial port</source>
        <translation>串口</translation>
    </message>
    <message>
        <source>reserved</source>
        <translation>保留</translation>
    </message>
    <message>
        <source>not known yet</source>
        <translation>状态未知</translation>
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
        <source>Pin {0}</source>
        <translation>引脚 {0}</translation>
    </message>
</context>
<context>
    <name>PinStrip</name>
    <message>
        <source>Set high</source>
        <translation>置高</translation>
    </message>
    <message>
        <source>Set low</source>
        <translation>置低</translation>
    </message>
    <message>
        <source>Read</source>
        <translation>读取</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>KindMenu</name>
    <message>
        <source>Another kind of board</source>
        <translation>其他型号</translation>
    </message>
    <message>
        <source>Your own boards</source>
        <translation>自定义开发板</translation>
    </message>
</context>
<context>
    <name>PortRow</name>
    <message>
        <source>Connect as…</source>
        <translation>连接为…</translation>
    </message>
</context>
<context>
    <name>PortsList</name>
    <message>
        <source>Ports without a known board</source>
        <translation>未识别开发板的端口</translation>
    </message>
</context>
<context>
    <name>Sheet</name>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>ShortcutsSheet</name>
    <message>
        <source>Keyboard</source>
        <translation>键盘</translation>
    </message>
    <message>
        <source>Stop everything, from anywhere</source>
        <translation>在任何地方立即全部停止</translation>
    </message>
    <message>
        <source>Open a page</source>
        <translation>打开页面</translation>
    </message>
    <message>
        <source>Write to the assistant</source>
        <translation>给助手写消息</translation>
    </message>
    <message>
        <source>Open settings</source>
        <translation>打开设置</translation>
    </message>
    <message>
        <source>Show this list</source>
        <translation>显示这张表</translation>
    </message>
    <message>
        <source>Close a sheet; held: stop everything</source>
        <translation>关闭面板；按住：全部停止</translation>
    </message>
    <message>
        <source>Go to the next control</source>
        <translation>转到下一个控件</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>发送</translation>
    </message>
    <message>
        <source>Start a new line</source>
        <translation>换行</translation>
    </message>
    <message>
        <source>Earlier messages</source>
        <translation>之前发送的消息</translation>
    </message>
    <message>
        <source>Stop the answer</source>
        <translation>停止这次回答</translation>
    </message>
    <message>
        <source>Go to a question that waits</source>
        <translation>转到等待确认的问题</translation>
    </message>
    <message>
        <source>Arrows</source>
        <translation>方向键</translation>
    </message>
    <message>
        <source>Walk over the pins of a board</source>
        <translation>在开发板的引脚间移动</translation>
    </message>
    <message>
        <source>Pause or resume</source>
        <translation>暂停或继续</translation>
    </message>
    <message>
        <source>Zoom the time</source>
        <translation>缩放时间</translation>
    </message>
    <message>
        <source>Move in time</source>
        <translation>前后移动时间</translation>
    </message>
    <message>
        <source>Zoom the values</source>
        <translation>缩放数值</translation>
    </message>
    <message>
        <source>Follow the present</source>
        <translation>跟随最新数据</translation>
    </message>
    <message>
        <source>Export as CSV</source>
        <translation>导出 CSV</translation>
    </message>
    <message>
        <source>Copy as picture</source>
        <translation>复制为图片</translation>
    </message>
    <message>
        <source>Search, also in settings</source>
        <translation>搜索（设置页也可用）</translation>
    </message>
    <message>
        <source>Save the shown lines</source>
        <translation>保存显示的记录</translation>
    </message>
    <message>
        <source>Copy the selected lines</source>
        <translation>复制选中的记录</translation>
    </message>
    <message>
        <source>Oldest, newest line</source>
        <translation>最早、最新的记录</translation>
    </message>
    <message>
        <source>Everywhere</source>
        <translation>任何地方</translation>
    </message>
    <message>
        <source>Chat</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>Devices</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Plots</source>
        <translation>曲线</translation>
    </message>
    <message>
        <source>Logs</source>
        <translation>日志</translation>
    </message>
</context>
<context>
    <name>StopButton</name>
    <message>
        <source>Stop everything</source>
        <translation>全部停止</translation>
    </message>
    <message>
        <source>Stop all commands and switch every pin off on every board (F12, or hold Esc)</source>
        <translation>停止所有命令，并关闭每块开发板上的全部引脚（F12，或按住 Esc）</translation>
    </message>
</context>
<context>
    <name>StopStrip</name>
    <message>
        <source>Stopped. Every new command is refused until you release the stop.</source>
        <translation>已停止。解除之前，新的命令一律拒绝执行。</translation>
    </message>
    <message>
        <source>Release the stop</source>
        <translation>解除停止</translation>
    </message>
    <message>
        <source>No board was connected.</source>
        <translation>当时没有连接开发板。</translation>
    </message>
    <message>
        <source>Commands cancelled: {0}</source>
        <translation>已取消命令：{0} 条</translation>
    </message>
</context>
<context>
    <name>WelcomePage</name>
    <message>
        <source>A board is ready</source>
        <translation>开发板已就绪</translation>
    </message>
    <message>
        <source>{board} is connected. Tell it to blink its LED, or ask what it measures.</source>
        <translation>{board} 已连接。让它闪烁 LED，或问问它测到了什么。</translation>
    </message>
    <message>
        <source>Open the chat</source>
        <translation>打开对话</translation>
    </message>
    <message>
        <source>Talk to your hardware</source>
        <translation>和你的硬件对话</translation>
    </message>
    <message>
        <source>Say what a board should do, watch its pins while it does it, and plot what it measures.</source>
        <translation>说出要让开发板做什么，看着引脚实时变化，再把测到的数据画成曲线。</translation>
    </message>
    <message>
        <source>Try it without a board</source>
        <translation>没有开发板也能试</translation>
    </message>
    <message>
        <source>A simulated Arduino Uno runs real firmware, with LED, button, knob and thermometer.</source>
        <translation>模拟 Arduino Uno 运行真实固件，带 LED、按钮、旋钮和温度计。</translation>
    </message>
    <message>
        <source>Start the simulator</source>
        <translation>启动模拟器</translation>
    </message>
    <message>
        <source>Connect a board</source>
        <translation>连接开发板</translation>
    </message>
    <message>
        <source>Plug in an Arduino, ESP32, Nucleo or Pico by USB. It shows up; one button flashes it.</source>
        <translation>用 USB 插上 Arduino、ESP32、Nucleo 或 Pico，它会自动出现，一键即可烧录。</translation>
    </message>
    <message>
        <source>Show boards and ports</source>
        <translation>查看开发板和端口</translation>
    </message>
    <message>
        <source>Language and look</source>
        <translation>语言和外观</translation>
    </message>
    <message>
        <source>English or Chinese, light or dark. The assistant works offline; no account is needed.</source>
        <translation>中文或英文，浅色或深色。助手可离线使用，不需要账号。</translation>
    </message>
    <message>
        <source>Open settings</source>
        <translation>打开设置</translation>
    </message>
</context>
<context>
    <name>ActivityButton</name>
    <message>
        <source>Questions that wait for you: {0}</source>
        <translation>等待你确认的问题：{0} 个</translation>
    </message>
    <message>
        <source>Interrupted tasks: {0}</source>
        <translation>中断的任务：{0}</translation>
    </message>
</context>
<context>
    <name>DryRunStrip</name>
    <message>
        <source>Dry run: nothing is sent to the boards.</source>
        <translation>试运行：不会向开发板发送任何内容。</translation>
    </message>
    <message>
        <source>Switch off</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Switch the dry run off</source>
        <translation>关闭试运行</translation>
    </message>
</context>
<context>
    <name>StatusBar</name>
    <message>
        <source>Waits for your answer</source>
        <translation>等待你的确认</translation>
    </message>
    <message>
        <source>{0} questions wait for you</source>
        <translation>{0} 个问题等待你确认</translation>
    </message>
    <message>
        <source>1 interrupted task</source>
        <translation>1 个任务中断</translation>
    </message>
    <message>
        <source>{0} interrupted tasks</source>
        <translation>{0} 个任务中断</translation>
    </message>
</context>
<context>
    <name>InterruptedStrip</name>
    <message>
        <source>The program ended in the middle of a task.</source>
        <translation>程序上次结束时，有一个任务没有做完。</translation>
    </message>
    <message>
        <source>The program ended in the middle of {0} tasks.</source>
        <translation>程序上次结束时，有 {0} 个任务没有做完。</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>查看</translation>
    </message>
    <message>
        <source>Show the interrupted tasks</source>
        <translation>查看中断的任务</translation>
    </message>
</context>
<context>
    <name>SimulatorPanel</name>
    <message>
        <source>Parts on this board</source>
        <translation>开发板上的元件</translation>
    </message>
    <message>
        <source>Add a part</source>
        <translation>添加元件</translation>
    </message>
    <message>
        <source>Undo the last change of parts and wires</source>
        <translation>撤销元件和接线的上一步更改</translation>
    </message>
    <message>
        <source>No parts yet. Add a button, a knob or a motor, and drag its dot to a pin of the board.</source>
        <translation>还没有元件。请添加按钮、旋钮或电机，再把它的圆点拖到开发板的引脚上。</translation>
    </message>
    <message>
        <source>Drag to a pin of the board</source>
        <translation>拖到开发板的引脚</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Pin {pin}</source>
        <translation>引脚 {pin}</translation>
    </message>
</context>
<context>
    <name>PartRow</name>
    <message>
        <source>pressed</source>
        <translation>按下</translation>
    </message>
    <message>
        <source>released</source>
        <translation>松开</translation>
    </message>
    <message>
        <source>off</source>
        <translation>灭</translation>
    </message>
    <message>
        <source>on</source>
        <translation>亮</translation>
    </message>
    <message>
        <source>silent</source>
        <translation>无声</translation>
    </message>
    <message>
        <source>More about {part}</source>
        <translation>{part}的更多选项</translation>
    </message>
    <message>
        <source>How it is modelled</source>
        <translation>建模方式</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>{speed} rpm</source>
        <translation>{speed} 转/分</translation>
    </message>
</context>
<context>
    <name>PartControl</name>
    <message>
        <source>Hold down</source>
        <translation>按住</translation>
    </message>
    <message>
        <source>Keep it pressed</source>
        <translation>保持按下</translation>
    </message>
    <message>
        <source>Block the shaft</source>
        <translation>卡住转轴</translation>
    </message>
</context>
<context>
    <name>PinButton</name>
    <message>
        <source>pin {pin}</source>
        <translation>引脚 {pin}</translation>
    </message>
    <message>
        <source>not wired</source>
        <translation>未接线</translation>
    </message>
    <message>
        <source>Wire to another pin</source>
        <translation>改接到其他引脚</translation>
    </message>
    <message>
        <source>Take the wire off</source>
        <translation>取下导线</translation>
    </message>
    <message>
        <source>Not possible</source>
        <translation>不可接</translation>
    </message>
</context>
<context>
    <name>FaultMenu</name>
    <message>
        <source>Provoke a fault</source>
        <translation>制造故障</translation>
    </message>
    <message>
        <source>Pull the USB cable</source>
        <translation>拔掉 USB 线</translation>
    </message>
    <message>
        <source>Garbage on the line</source>
        <translation>线路上出现乱码</translation>
    </message>
    <message>
        <source>Slow replies</source>
        <translation>回复变慢</translation>
    </message>
    <message>
        <source>Supply voltage too low</source>
        <translation>供电电压过低</translation>
    </message>
    <message>
        <source>A line of 1 MB</source>
        <translation>一行 1 MB 的数据</translation>
    </message>
    <message>
        <source>A pin stuck low</source>
        <translation>引脚卡在低电平</translation>
    </message>
    <message>
        <source>A pin stuck high</source>
        <translation>引脚卡在高电平</translation>
    </message>
    <message>
        <source>Pin {pin}</source>
        <translation>引脚 {pin}</translation>
    </message>
</context>
<context>
    <name>FaultLines</name>
    <message>
        <source>Plug in</source>
        <translation>插上</translation>
    </message>
    <message>
        <source>Restore</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>End</source>
        <translation>结束</translation>
    </message>
    <message>
        <source>Pin {pin} is stuck high.</source>
        <translation>引脚 {pin} 卡在高电平。</translation>
    </message>
    <message>
        <source>Pin {pin} is stuck low.</source>
        <translation>引脚 {pin} 卡在低电平。</translation>
    </message>
    <message>
        <source>The USB cable is out.</source>
        <translation>USB 线已拔出。</translation>
    </message>
    <message>
        <source>Garbage comes four times a second.</source>
        <translation>线路每秒出现四次乱码。</translation>
    </message>
    <message>
        <source>Each reply comes a second late.</source>
        <translation>每条回复都晚一秒到达。</translation>
    </message>
    <message>
        <source>The supply is too low: the chip is held in reset.</source>
        <translation>供电电压过低：芯片处于复位状态。</translation>
    </message>
</context>
<context>
    <name>SimulatorChoice</name>
    <message>
        <source>Add a simulated board</source>
        <translation>添加模拟开发板</translation>
    </message>
</context>
</TS>
