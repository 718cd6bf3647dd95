<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>AwayList</name>
    <message>
        <source>Known boards that are not plugged in</source>
        <translation>已知但未插入的开发板</translation>
    </message>
</context>
<context>
    <name>AwayRow</name>
    <message>
        <source>Forget</source>
        <translation>忘记</translation>
    </message>
    <message>
        <source>Forget its names</source>
        <translation>忘记其名称</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>保留</translation>
    </message>
    <message>
        <source>Not plugged in</source>
        <translation>未插入</translation>
    </message>
</context>
<context>
    <name>BoardCard</name>
    <message>
        <source>Firmware {0} is there; this board has an older one.</source>
        <translation>已有固件 {0}，这块开发板上的版本较旧。</translation>
    </message>
    <message>
        <source>More about {0}</source>
        <translation>{0} 的更多操作</translation>
    </message>
    <message>
        <source>Not plugged in</source>
        <translation>未插入</translation>
    </message>
    <message>
        <source>Update…</source>
        <translation>更新…</translation>
    </message>
</context>
<context>
    <name>BoardMenu</name>
    <message>
        <source>Data sheets…</source>
        <translation>数据手册…</translation>
    </message>
    <message>
        <source>Details…</source>
        <translation>详细信息…</translation>
    </message>
    <message>
        <source>Erase everything…</source>
        <translation>全部擦除…</translation>
    </message>
    <message>
        <source>Forget this board…</source>
        <translation>忘记这块开发板…</translation>
    </message>
    <message>
        <source>Name pins…</source>
        <translation>命名引脚…</translation>
    </message>
    <message>
        <source>Rename…</source>
        <translation>重命名…</translation>
    </message>
</context>
<context>
    <name>DatasheetsPanel</name>
    <message>
        <source>Look again</source>
        <translation>重新查看</translation>
    </message>
    <message>
        <source>No data sheet is there yet. Put Markdown, text or PDF files into the folder; a file or folder that is named like the board ({0}) is about this board, the others are about all boards.</source>
        <translation>还没有数据手册。请将 Markdown、文本或 PDF 文件放入该文件夹；文件或文件夹的名称与开发板相同（{0}）时，内容只属于这种开发板，其余属于所有开发板。</translation>
    </message>
    <message>
        <source>Nothing in the data sheets fits.</source>
        <translation>数据手册中没有相符的内容。</translation>
    </message>
    <message>
        <source>Open {0}</source>
        <translation>打开 {0}</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>打开文件夹</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>搜索</translation>
    </message>
    <message>
        <source>Search the data sheets</source>
        <translation>搜索数据手册</translation>
    </message>
    <message>
        <source>Searching…</source>
        <translation>正在搜索…</translation>
    </message>
    <message>
        <source>The files are being read…</source>
        <translation>正在读取文件…</translation>
    </message>
</context>
<context>
    <name>DetailsSheet</name>
    <message>
        <source>Commands of the firmware</source>
        <translation>固件支持的命令</translation>
    </message>
    <message>
        <source>Board</source>
        <translation>开发板</translation>
    </message>
    <message>
        <source>Data sheets</source>
        <translation>数据手册</translation>
    </message>
    <message>
        <source>Firmware</source>
        <translation>固件</translation>
    </message>
    <message>
        <source>Firmware {0} is there.</source>
        <translation>已有固件 {0}。</translation>
    </message>
    <message>
        <source>Health of the connection</source>
        <translation>连接状况</translation>
    </message>
    <message>
        <source>Identity</source>
        <translation>标识</translation>
    </message>
    <message>
        <source>Name pins…</source>
        <translation>命名引脚…</translation>
    </message>
    <message>
        <source>Names of pins</source>
        <translation>引脚名称</translation>
    </message>
    <message>
        <source>No pin has a name yet.</source>
        <translation>还没有已命名的引脚。</translation>
    </message>
    <message>
        <source>Update…</source>
        <translation>更新…</translation>
    </message>
    <message>
        <source>Wiring of the board</source>
        <translation>板上连线</translation>
    </message>
</context>
<context>
    <name>DevicesPage</name>
    <message>
        <source>Flashing tools</source>
        <translation>烧录工具</translation>
    </message>
</context>
<context>
    <name>DropSheet</name>
    <message>
        <source>A sketch has to be compiled first. Drop the .hex or .bin file that comes out of it.</source>
        <translation>草图需要先编译。请拖入编译生成的 .hex 或 .bin 文件。</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Flash a file</source>
        <translation>烧录文件</translation>
    </message>
    <message>
        <source>None of the boards here takes this. They take: {0}</source>
        <translation>这里的开发板都不接受该文件。可接受：{0}</translation>
    </message>
    <message>
        <source>There is no board that could be flashed. Connect one, or start the simulator.</source>
        <translation>没有可以烧录的开发板。请连接一块，或启动模拟器。</translation>
    </message>
    <message>
        <source>Which board gets this firmware?</source>
        <translation>将该固件烧录到哪块开发板？</translation>
    </message>
</context>
<context>
    <name>ErrorCard</name>
    <message>
        <source>Allow access…</source>
        <translation>允许访问…</translation>
    </message>
</context>
<context>
    <name>FlashWay</name>
    <message>
        <source>Automatic</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>Automatic: {0}</source>
        <translation>自动：{0}</translation>
    </message>
    <message>
        <source>Look again</source>
        <translation>重新查找</translation>
    </message>
    <message>
        <source>Other ways of writing</source>
        <translation>其他烧录方式</translation>
    </message>
    <message>
        <source>Way of writing</source>
        <translation>烧录方式</translation>
    </message>
    <message>
        <source>{0} (not usable)</source>
        <translation>{0}（不可用）</translation>
    </message>
</context>
<context>
    <name>ForgetSheet</name>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Forget</source>
        <translation>忘记</translation>
    </message>
    <message>
        <source>Forget {0}</source>
        <translation>忘记 {0}</translation>
    </message>
    <message>
        <source>The board is disconnected. Its name, the names of its pins and the choice of its kind are dropped. Nothing on the board itself is changed; its port is listed again while it is plugged in.</source>
        <translation>开发板将断开连接，其名称、引脚名称和所选型号会被清除。开发板本身不会改变；只要仍然插着，其端口会重新列出。</translation>
    </message>
</context>
<context>
    <name>InstallCommand</name>
    <message>
        <source>Copy the command</source>
        <translation>复制命令</translation>
    </message>
</context>
<context>
    <name>MendSheet</name>
    <message>
        <source>Access to {0}</source>
        <translation>访问 {0}</translation>
    </message>
    <message>
        <source>Nothing that this program could change keeps the port closed now. Try again.</source>
        <translation>现在没有本程序可以更改的原因使端口无法打开。请重试。</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Commands</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Copy the commands</source>
        <translation>复制命令</translation>
    </message>
    <message>
        <source>Do it</source>
        <translation>执行</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>Text of the file</source>
        <translation>文件内容</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Waiting for the password…</source>
        <translation>正在等待密码…</translation>
    </message>
</context>
<context>
    <name>PinNamesSheet</name>
    <message>
        <source>A name can be used in the chat. What a pin is for says which commands the assistant may use on it without asking; a name alone allows nothing. Data sheets can give names, too.</source>
        <translation>名称可以在聊天中使用。引脚的用途决定助手可以不经询问对它使用哪些命令；仅有名称不允许任何操作。数据手册也可以提供名称。</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>In data sheets</source>
        <translation>数据手册中</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Name of pin {0}</source>
        <translation>引脚 {0} 的名称</translation>
    </message>
    <message>
        <source>Names of pins: {0}</source>
        <translation>引脚名称：{0}</translation>
    </message>
    <message>
        <source>Pin</source>
        <translation>引脚</translation>
    </message>
    <message>
        <source>Pin {0} has this name, too.</source>
        <translation>引脚 {0} 也使用该名称。</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>What it is for</source>
        <translation>用途</translation>
    </message>
    <message>
        <source>What pin {0} is for</source>
        <translation>引脚 {0} 的用途</translation>
    </message>
    <message>
        <source>{0} changed</source>
        <translation>已更改 {0} 项</translation>
    </message>
</context>
<context>
    <name>PinStrip</name>
    <message>
        <source>Click the pin again to switch it over.</source>
        <translation>再次点击该引脚可切换电平。</translation>
    </message>
</context>
<context>
    <name>PortRow</name>
    <message>
        <source>Just plugged in</source>
        <translation>刚刚插入</translation>
    </message>
    <message>
        <source>Asking…</source>
        <translation>正在查询…</translation>
    </message>
    <message>
        <source>Ask again</source>
        <translation>再次查询</translation>
    </message>
    <message>
        <source>Find out</source>
        <translation>查询型号</translation>
    </message>
    <message>
        <source>Find out which board this is: first its firmware is asked, then its boot loader, which restarts the board. Nothing is written.</source>
        <translation>查询这是哪种开发板：先询问固件，再询问引导程序（会重启开发板）。不会写入任何内容。</translation>
    </message>
</context>
<context>
    <name>PortsList</name>
    <message>
        <source>A USB chip does not tell which board it sits on. 'Find out' asks the firmware, then the boot loader, which restarts the board; or choose the board by hand. The choice is remembered.</source>
        <translation>USB 芯片无法说明它装在哪种开发板上。“查询型号”先询问固件，再询问引导程序（会重启开发板）；也可以手动选择。选择会被记住。</translation>
    </message>
</context>
<context>
    <name>RenameSheet</name>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Name of the board</source>
        <translation>开发板名称</translation>
    </message>
    <message>
        <source>Rename the board</source>
        <translation>重命名开发板</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>The name is used in the chat and on every page. It stays with this board when it is plugged in elsewhere. An empty field gives it the name of its kind.</source>
        <translation>该名称用于聊天和所有页面。开发板插到别处时名称仍然跟随。留空则使用型号名称。</translation>
    </message>
</context>
<context>
    <name>ShortcutsSheet</name>
    <message>
        <source>Choose the pin; again: switch an output over</source>
        <translation>选择引脚；再按：切换输出电平</translation>
    </message>
</context>
<context>
    <name>ToolRow</name>
    <message>
        <source>Found</source>
        <translation>已找到</translation>
    </message>
    <message>
        <source>Missing</source>
        <translation>缺失</translation>
    </message>
</context>
<context>
    <name>ToolsSheet</name>
    <message>
        <source>A board needs one of its tools only. Run the command in a terminal, then look again.</source>
        <translation>每块开发板只需要其中一种工具。请在终端中运行命令，然后重新查找。</translation>
    </message>
    <message>
        <source>All of them are there.</source>
        <translation>全部已找到。</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>Flashing tools</source>
        <translation>烧录工具</translation>
    </message>
    <message>
        <source>Look again</source>
        <translation>重新查找</translation>
    </message>
    <message>
        <source>Looking…</source>
        <translation>正在查找…</translation>
    </message>
    <message>
        <source>{0} missing</source>
        <translation>缺少 {0} 个</translation>
    </message>
</context>
<context>
    <name>EraseSheet</name>
    <message>
        <source>Looking for the board</source>
        <translation>正在查找开发板</translation>
    </message>
    <message>
        <source>Asking the chip</source>
        <translation>正在询问芯片</translation>
    </message>
    <message>
        <source>Saving what is on the board</source>
        <translation>正在保存开发板上的内容</translation>
    </message>
    <message>
        <source>Erasing</source>
        <translation>正在擦除</translation>
    </message>
    <message>
        <source>Restarting the board</source>
        <translation>正在重启开发板</translation>
    </message>
    <message>
        <source>Everything is erased. The board does nothing until a firmware is written.</source>
        <translation>已全部擦除。写入固件之前，开发板不会做任何事。</translation>
    </message>
    <message>
        <source>What was on it can be written back from {0}.</source>
        <translation>原有内容可以从 {0} 写回。</translation>
    </message>
    <message>
        <source>Erase everything on {0}</source>
        <translation>擦除“{0}”上的全部内容</translation>
    </message>
    <message>
        <source>The whole flash of the chip is emptied: program, boot loader, settings, networks and files. That helps when a board restarts over and over after old settings.</source>
        <translation>芯片的整个闪存将被清空：程序、引导程序、设置、网络和文件。开发板因旧设置反复重启时，这样做有用。</translation>
    </message>
    <message>
        <source>To go on, type the board's name: {0}</source>
        <translation>要继续，请输入开发板的名称：{0}</translation>
    </message>
    <message>
        <source>Erase everything</source>
        <translation>全部擦除</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
</TS>
