<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>BoardCard</name>
    <message>
        <source>Make firmware</source>
        <translation>生成固件</translation>
    </message>
</context>
<context>
    <name>MakeSheet</name>
    <message>
        <source>Continue</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Write to the board</source>
        <translation>写入开发板</translation>
    </message>
    <message>
        <source>Check and compile</source>
        <translation>检查并编译</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>Make firmware for {0}</source>
        <translation>为 {0} 生成固件</translation>
    </message>
    <message>
        <source>Request</source>
        <translation>需求</translation>
    </message>
    <message>
        <source>Parts and pins</source>
        <translation>器件与引脚</translation>
    </message>
    <message>
        <source>Sketch</source>
        <translation>程序</translation>
    </message>
    <message>
        <source>Write</source>
        <translation>写入</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>返回</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
</context>
<context>
    <name>RequestStep</name>
    <message>
        <source>What shall the board do?</source>
        <translation>想让开发板做什么？</translation>
    </message>
    <message>
        <source>Blink the LED three times a second on pin 9</source>
        <translation>让 9 号引脚的 LED 每秒闪三次</translation>
    </message>
    <message>
        <source>Plan it</source>
        <translation>开始规划</translation>
    </message>
    <message>
        <source>Or begin with one of these:</source>
        <translation>或从下面选一种开始：</translation>
    </message>
</context>
<context>
    <name>PlanStep</name>
    <message>
        <source>Line {0}:</source>
        <translation>第 {0} 行：</translation>
    </message>
    <message>
        <source>Pins</source>
        <translation>引脚</translation>
    </message>
    <message>
        <source>Values</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Parts and wires</source>
        <translation>器件与接线</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>编程语言</translation>
    </message>
</context>
<context>
    <name>SketchStep</name>
    <message>
        <source>Compiling the core of the board, once for each chip</source>
        <translation>正在编译核心库，每种芯片只需一次</translation>
    </message>
    <message>
        <source>Compiling the sketch</source>
        <translation>正在编译程序</translation>
    </message>
    <message>
        <source>Linking</source>
        <translation>正在链接</translation>
    </message>
    <message>
        <source>Flash</source>
        <translation>闪存</translation>
    </message>
    <message>
        <source>RAM</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Checked.</source>
        <translation>已检查。</translation>
    </message>
    <message>
        <source>Compiled by {0} in {1} s.</source>
        <translation>{0} 编译完成，用时 {1} 秒。</translation>
    </message>
    <message>
        <source>It does not compile. Nothing was written.</source>
        <translation>编译未通过，没有写入任何内容。</translation>
    </message>
    <message>
        <source>It was not compiled. Nothing was written.</source>
        <translation>没有编译，也没有写入任何内容。</translation>
    </message>
    <message>
        <source>Line {0}:</source>
        <translation>第 {0} 行：</translation>
    </message>
    <message>
        <source>Pins or values were changed, so this is the template's sketch again, without your changes.</source>
        <translation>引脚或参数已更改，现在是模板的程序，不含你的修改。</translation>
    </message>
    <message>
        <source>Bring my sketch back</source>
        <translation>找回我的程序</translation>
    </message>
    <message>
        <source>Back to the template</source>
        <translation>恢复模板</translation>
    </message>
    <message>
        <source>The check found faults; it is not compiled like this.</source>
        <translation>检查发现错误，修改后才能编译。</translation>
    </message>
    <message>
        <source>The check found no fault: pins, buses, libraries.</source>
        <translation>检查通过：引脚、总线、库均无问题。</translation>
    </message>
</context>
<context>
    <name>WriteStep</name>
    <message>
        <source>Looking for the board</source>
        <translation>正在查找开发板</translation>
    </message>
    <message>
        <source>Preparing</source>
        <translation>正在准备</translation>
    </message>
    <message>
        <source>Saving what is on the board</source>
        <translation>正在保存板上的内容</translation>
    </message>
    <message>
        <source>Copying</source>
        <translation>正在复制</translation>
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
        <translation>等待新固件应答</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>Flashing was cancelled.</source>
        <translation>烧录已取消。</translation>
    </message>
</context>
<context>
    <name>HeardStep</name>
    <message>
        <source>something else</source>
        <translation>其他程序</translation>
    </message>
    <message>
        <source>The firmware is on the board. It answers as {0}.</source>
        <translation>固件已写入开发板，应答为 {0}。</translation>
    </message>
    <message>
        <source>What the board says</source>
        <translation>开发板的输出</translation>
    </message>
    <message>
        <source>Show the plots</source>
        <translation>查看曲线</translation>
    </message>
    <message>
        <source>Nothing yet.</source>
        <translation>暂无输出。</translation>
    </message>
</context>
</TS>
