"""Every setting as data: key, kind, default, limits, texts. Page and loader are made from it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from zeroclaw_desktop.config.address import address_fault
from zeroclaw_desktop.config.model_entries import read_entries
from zeroclaw_desktop.contracts.language import Language

Kind = Literal["choice", "int", "float", "bool", "text", "address", "tables"]
SCHEMA_VERSION = 1


class Setting(NamedTuple):
    """One setting.

    Attributes:
        key: path in the file; the part before the dot is the section.
        choices: value -> text by language, for a ``choice``.
        schemes: what an ``address`` may begin with; its password is kept in the keyring, not in the file.
        minimum, maximum: inclusive limits of a number, in ``unit``.
        on_page: whether the settings page shows it; others are for the file.

    A setting of the kind ``tables`` holds tables by name (see ``model_entries``).
    """

    key: str
    kind: Kind
    default: Any
    title: Mapping[Language, str]
    description: Mapping[Language, str]
    choices: Mapping[Any, Mapping[Language, str]] | None = None
    minimum: float | None = None
    maximum: float | None = None
    unit: str = ""
    needs_restart: bool = False
    schemes: tuple[str, ...] = ()
    on_page: bool = True

    @property
    def section(self) -> str:
        """First part of the key."""
        return self.key.split(".")[0]


SECTIONS: Mapping[str, Mapping[Language, str]] = {
    "ui": {"en": "Appearance", "zh": "外观"},
    "simulator": {"en": "Simulator", "zh": "模拟器"},
    "serial": {"en": "Serial console", "zh": "串口控制台"},
    "execution": {"en": "Safety", "zh": "安全"},
    "flashing": {"en": "Flashing", "zh": "烧录"},
    "plots": {"en": "Plots", "zh": "曲线"},
    "logs": {"en": "Logs", "zh": "日志"},
    "reporters": {"en": "Reports", "zh": "报告"},
    "shared": {"en": "Sharing boards", "zh": "共用开发板"},
    "models": {"en": "Models", "zh": "模型"},
    "memory": {"en": "Memory", "zh": "记忆"},
}

LEVELS: Mapping[str, Mapping[Language, str]] = {
    "observer": {"en": "only look", "zh": "只能查看"},
    "skill": {"en": "use what was set up", "zh": "使用已设置的功能"},
    "operator": {"en": "operate", "zh": "操作"},
    "root": {"en": "everything", "zh": "一切"},
}
"""Levels of permission (EX-6)."""
CEILING_PREFIX = "execution.ceiling_"


def _ceiling(source: str, en: str, zh: str) -> Setting:
    """Highest level at which a source runs without asking a person."""
    return Setting(
        f"{CEILING_PREFIX}{source}",
        "choice",
        "skill",
        {"en": f"{en} may", "zh": f"{zh}的权限上限"},
        {"en": "More than this asks a person first.", "zh": "超出时先询问。"},
        LEVELS,
        on_page=False,
    )


SETTINGS: tuple[Setting, ...] = (
    Setting(
        "ui.theme",
        "choice",
        "system",
        {"en": "Theme", "zh": "主题"},
        {"en": "Light, dark, or as the system has it.", "zh": "浅色、深色，或跟随系统。"},
        {
            "system": {"en": "System", "zh": "跟随系统"},
            "light": {"en": "Light", "zh": "浅色"},
            "dark": {"en": "Dark", "zh": "深色"},
        },
    ),
    Setting(
        "ui.language",
        "choice",
        "system",
        {"en": "Language", "zh": "语言"},
        {"en": "Language of the window.", "zh": "窗口使用的语言。"},
        {
            "system": {"en": "System", "zh": "跟随系统"},
            "en": {"en": "English", "zh": "English"},
            "zh": {"en": "中文", "zh": "中文"},
        },
    ),
    Setting(
        "simulator.start_with_app",
        "bool",
        False,
        {"en": "Start the simulator with the app", "zh": "随程序启动模拟器"},
        {
            "en": "The simulated boards of the last time are there at once; at first an Arduino Uno.",
            "zh": "打开程序即有上次的模拟开发板；首次为 Arduino Uno。",
        },
        needs_restart=True,
    ),
    Setting(
        "serial.line_end",
        "choice",
        "lf",
        {"en": "Line end", "zh": "行尾"},
        {"en": "What the console adds to a line that you send.", "zh": "串口控制台发送时附加的行尾字符。"},
        {
            "none": {"en": "None", "zh": "无"},
            "lf": {"en": "LF (\\n)", "zh": "LF (\\n)"},
            "cr": {"en": "CR (\\r)", "zh": "CR (\\r)"},
            "crlf": {"en": "CR LF (\\r\\n)", "zh": "CR LF (\\r\\n)"},
        },
    ),
    Setting(
        "execution.dry_run",
        "bool",
        False,
        {"en": "Dry run", "zh": "试运行"},
        {
            "en": "Check and report every command, but send nothing to a board.",
            "zh": "检查并报告每条命令，但不向开发板发送任何内容。",
        },
    ),
    Setting(
        "execution.session_budget_seconds",
        "int",
        1_800,
        {"en": "Run time of a session", "zh": "会话运行时间"},
        {
            "en": "How long all commands of one chat turn or run may work in total.",
            "zh": "一次对话或一次运行中所有命令的总运行时间上限。",
        },
        minimum=10,
        maximum=86_400,
        unit="s",
    ),
    Setting(
        "execution.stop_input",
        "text",
        "",
        {"en": "Wired stop button", "zh": "有线急停按钮"},
        {
            "en": "Board and pin of a button to ground that stops everything, e.g. sim-uno/d4; "
            "add /nc for a normally closed one. Empty: none.",
            "zh": "接地按钮所在的开发板和引脚，按下即全部停止，例如 sim-uno/d4；"
            "常闭按钮加 /nc。留空表示没有。",
        },
    ),
    _ceiling("schedule", "Schedules", "定时任务"),
    _ceiling("sop", "Procedures", "流程"),
    _ceiling("webhook", "Webhooks", "Webhook"),
    _ceiling("channel", "Message channels", "消息渠道"),
    Setting(
        "flashing.save_first",
        "bool",
        True,
        {"en": "Save what is on a board before its first flash", "zh": "首次烧录前保存开发板上的内容"},
        {
            "en": "Read the whole flash into the folder backups, so that it can be written back. Takes "
            "seconds on an Arduino and minutes on an ESP32; you can skip it each time.",
            "zh": "把整个闪存读到 backups 文件夹，以便日后写回。Arduino 需要几秒，ESP32 需要几分钟；"
            "每次都可以跳过。",
        },
    ),
    Setting(
        "plots.window_seconds",
        "int",
        30,
        {"en": "Time window", "zh": "时间窗口"},
        {"en": "How much of the past a new plot shows.", "zh": "新曲线显示的时间长度。"},
        minimum=5,
        maximum=600,
        unit="s",
    ),
    Setting(
        "plots.max_samples",
        "int",
        1_000_000,
        {"en": "Samples kept for each series", "zh": "每条曲线保留的样本数"},
        {
            "en": "The oldest go first; a million samples take about 21 MB.",
            "zh": "超出后最早的样本先被丢弃；一百万个样本约占 21 MB。",
        },
        minimum=1_000,
        maximum=20_000_000,
        needs_restart=True,
    ),
    Setting(
        "plots.memory_mb",
        "int",
        1_024,
        {"en": "Memory for all series", "zh": "所有曲线可用的内存"},
        {
            "en": "When it is full, series keep fewer samples than the setting above allows.",
            "zh": "用满之后，每条曲线保留的样本会少于上面设置的数量。",
        },
        minimum=64,
        maximum=65_536,
        unit="MB",
    ),
    Setting(
        "plots.udp",
        "bool",
        False,
        {"en": "Receive over UDP", "zh": "通过 UDP 接收"},
        {
            "en": "Plot what programs send to the UDP port below, in the form of Teleplot or any other form.",
            "zh": "绘制其他程序发送到下面 UDP 端口的数据，支持 Teleplot 及其他各种格式。",
        },
    ),
    Setting(
        "plots.udp_reach",
        "choice",
        "computer",
        {"en": "Who may send over UDP", "zh": "允许谁通过 UDP 发送"},
        {
            "en": "When you open it, anybody on the network can draw series; nothing else can be done "
            "that way.",
            "zh": "选择整个网络后，网络上的任何人都能画出曲线，但做不了其他事。",
        },
        {
            "computer": {"en": "This computer only", "zh": "仅限本机"},
            "network": {"en": "The whole network", "zh": "整个网络"},
        },
    ),
    Setting(
        "plots.udp_port",
        "int",
        47_269,
        {"en": "UDP port", "zh": "UDP 端口"},
        {"en": "47269 is that of Teleplot.", "zh": "47269 是 Teleplot 使用的端口。"},
        minimum=1_024,
        maximum=65_535,
    ),
    Setting(
        "plots.mqtt_topics",
        "text",
        "",
        {"en": "MQTT topics to plot", "zh": "要绘制的 MQTT 主题"},
        {
            "en": "Topics of the broker that is set under Reports, with commas between, e.g. lab/+/temp, "
            "greenhouse/#. Empty: none.",
            "zh": "“报告”中所设服务器的主题，用逗号分隔，例如 lab/+/temp, greenhouse/#；留空则不接收。",
        },
    ),
    Setting(
        "logs.level",
        "choice",
        "INFO",
        {"en": "Log level", "zh": "日志级别"},
        {"en": "The least important lines that are kept.", "zh": "保留的最低级别。"},
        {
            "DEBUG": {"en": "Debug", "zh": "调试"},
            "INFO": {"en": "Info", "zh": "信息"},
            "WARNING": {"en": "Warning", "zh": "警告"},
            "ERROR": {"en": "Error", "zh": "错误"},
        },
    ),
    Setting(
        "reporters.jsonl",
        "bool",
        False,
        {"en": "File of reports", "zh": "报告文件"},
        {
            "en": "Write one line of JSON for each ended command to logs/actions.jsonl.",
            "zh": "每条命令结束后，在 logs/actions.jsonl 中写入一行 JSON。",
        },
    ),
    Setting(
        "reporters.serial_port",
        "text",
        "",
        {"en": "Serial port for reports", "zh": "报告串口"},
        {
            "en": "Send the reports there at 115200 baud, for a display or a logger; not a board's port. "
            "Empty: none.",
            "zh": "以 115200 波特向该串口发送报告，供显示屏或记录仪使用；不能是开发板的端口。留空则不发送。",
        },
    ),
    Setting(
        "reporters.mqtt_url",
        "address",
        "",
        {"en": "MQTT broker", "zh": "MQTT 服务器"},
        {
            "en": "Send the reports there, e.g. mqtt://localhost:1883. Empty: none. A password in it goes to "
            "the system's keyring.",
            "zh": "向该服务器发送报告，例如 mqtt://localhost:1883；留空则不发送。地址中的密码保存在系统密钥环中。",
        },
        schemes=("mqtt", "mqtts"),
    ),
    Setting(
        "shared.redis_url",
        "address",
        "",
        {"en": "Redis server", "zh": "Redis 服务器"},
        {
            "en": "Programs and computers with the same Redis, e.g. redis://localhost:6379/0, do not drive "
            "one board at the same time. Empty: this program only. A password in it goes to the system's "
            "keyring.",
            "zh": "使用同一个 Redis（例如 redis://localhost:6379/0）的程序和计算机不会同时操作同一块开发板；"
            "留空则仅限本程序。地址中的密码保存在系统密钥环中。",
        },
        schemes=("redis", "rediss", "unix"),
    ),
    Setting(
        "models.chat",
        "text",
        "",
        {"en": "Model of the chat", "zh": "对话使用的模型"},
        {
            "en": "Alias of a model that is set up (zeroclaw models list). Empty: the offline assistant, "
            "which needs no model.",
            "zh": "已配置模型的别名（zeroclaw models list）；留空则使用离线助手，不需要模型。",
        },
    ),
    Setting(
        "models.entries",
        "tables",
        {},
        {"en": "Models", "zh": "模型"},
        {
            "en": "One table for each model, by alias; see the guide.",
            "zh": "每个模型一个表，以别名命名；见用户指南。",
        },
        on_page=False,
    ),
    Setting(
        "models.idle_minutes",
        "int",
        10,
        {"en": "Keep the model process for", "zh": "模型进程保留时间"},
        {
            "en": "How long the process that talks to models stays unasked; its start takes seconds.",
            "zh": "与模型通信的进程在空闲多久后结束；重新启动需要几秒。",
        },
        minimum=1,
        maximum=1_440,
        unit="min",
        needs_restart=True,
        on_page=False,
    ),
    Setting(
        "memory.enabled",
        "bool",
        True,
        {"en": "Remember", "zh": "启用记忆"},
        {
            "en": "Keep what the assistant is told to remember, and how commands ended, on this computer.",
            "zh": "在本机保存要求助手记住的内容以及命令的执行结果。",
        },
    ),
    Setting(
        "memory.top_k",
        "int",
        5,
        {"en": "Memories for an answer", "zh": "每次回忆的条数"},
        {"en": "How many at most are looked up for a message.", "zh": "每条消息最多查找多少条记忆。"},
        minimum=1,
        maximum=50,
    ),
    Setting(
        "memory.least_relevance",
        "float",
        0.1,
        {"en": "Least relevance", "zh": "最低相关度"},
        {
            "en": "From 0 to 1; what fits a message less than this is left out.",
            "zh": "0 到 1；与消息的相关度低于此值的记忆不使用。",
        },
        minimum=0,
        maximum=1,
    ),
    Setting(
        "memory.vector_weight",
        "float",
        0.7,
        {"en": "Weight of similarity", "zh": "相似度的权重"},
        {
            "en": "From 0 to 1; the rest is the weight of the words that are the same.",
            "zh": "0 到 1；其余为关键词匹配的权重。",
        },
        minimum=0,
        maximum=1,
    ),
    Setting(
        "memory.half_life_days",
        "float",
        7,
        {"en": "Half-life", "zh": "半衰期"},
        {
            "en": "After so long a memory counts half. Core and pinned ones do not age.",
            "zh": "经过这段时间，记忆的分量减半；核心记忆和置顶的记忆不衰减。",
        },
        minimum=0.1,
        maximum=3_650,
        unit="d",
    ),
    Setting(
        "memory.keep_days",
        "int",
        90,
        {"en": "Forget after", "zh": "遗忘期限"},
        {
            "en": "Conversations, daily notes, results of commands and procedures that were neither told nor "
            "recalled for so long. 0: never.",
            "zh": "对话、日常记录、命令结果和流程记录在这段时间内既未被提及也未被回忆，就会被遗忘；"
            "0 表示永不遗忘。",
        },
        minimum=0,
        maximum=36_500,
        unit="d",
    ),
    Setting(
        "memory.most_entries",
        "int",
        20_000,
        {"en": "Memories of each kind", "zh": "每类记忆的数量上限"},
        {
            "en": "Beyond that the oldest are forgotten; pinned ones stay.",
            "zh": "超出后最早的先被遗忘；置顶的记忆保留。",
        },
        minimum=100,
        maximum=1_000_000,
    ),
)

BY_KEY: Mapping[str, Setting] = {setting.key: setting for setting in SETTINGS}


def check_value(setting: Setting, value: Any) -> str:
    """Say what is wrong with a value; '' when nothing is."""
    if setting.kind == "choice":
        allowed = list(setting.choices or {})
        return "" if value in allowed else f"{value!r} is not one of {', '.join(map(str, allowed))}"
    if setting.kind == "bool":
        return "" if isinstance(value, bool) else f"must be true or false, not {value!r}"
    if setting.kind == "text":
        return "" if isinstance(value, str) else f"must be text, not {value!r}"
    if setting.kind == "tables":
        return "; ".join(f"{path}: {wrong}" for path, wrong in read_entries(value)[1])
    if setting.kind == "address":
        # What was given is not repeated: it may hold a password.
        return address_fault(value, setting.schemes) if isinstance(value, str) else "must be text"
    whole = setting.kind == "int"
    if isinstance(value, bool) or not isinstance(value, int if whole else (int, float)):
        return f"must be a {'whole ' if whole else ''}number, not {value!r}"
    if not math.isfinite(value):
        return f"must be a finite number, not {value!r}"
    low, high = setting.minimum, setting.maximum
    if (low is not None and value < low) or (high is not None and value > high):
        unit = f" {setting.unit}" if setting.unit else ""
        return f"is {value}; allowed is {low:g} to {high:g}{unit}"
    return ""
