"""The words about ports: obstacles, mends and answers, in English and Chinese. No Qt."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from zeroclaw_desktop.bridge.port_views import AccessView, AskView, MendView
from zeroclaw_desktop.contracts.language import Language

if TYPE_CHECKING:
    from zeroclaw_desktop.runtime.port_access import AccessProblem
    from zeroclaw_desktop.runtime.port_identification import Identified
    from zeroclaw_desktop.runtime.port_mending import Mend

_PROBLEMS: dict[Language, dict[str, str]] = {
    "en": {
        "not_in_group": "You may not open this port: it is open to members of the group {0} only.",
        "login_needed": "You may not open this port yet: you joined the group {0} after your last login. "
        "Log out and in again.",
        "closed": "You may not open this port: it is closed to everyone but root.",
        "held": "In use by {0}. Close that program, then ask or connect.",
        "modem_manager": "ModemManager runs here. It asks every new port whether it is a modem, so the "
        "board may be busy or restart in the first half minute.",
        "brltty": "{0}: plugged in, but the program brltty has taken it for a Braille display, so there is "
        "no port.",
        "no_driver": "{0}: plugged in, but the system gives it no port. Its driver is missing or was not "
        "loaded; plug it in again, or install the driver of this chip.",
    },
    "zh": {
        "not_in_group": "没有打开该端口的权限：只有 {0} 组的成员可以打开。",
        "login_needed": "暂时没有打开该端口的权限：您在上次登录之后才加入 {0} 组，请注销后重新登录。",
        "closed": "没有打开该端口的权限：该端口只对 root 开放。",
        "held": "正被 {0} 占用。请关闭该程序，然后再查询或连接。",
        "modem_manager": "系统正在运行 ModemManager。它会查询每个新端口是否为调制解调器，"
        "因此插入后的半分钟内开发板可能被占用或重启。",
        "brltty": "{0}：已插入，但被 brltty 当作盲文显示器占用，因此没有端口。",
        "no_driver": "{0}：已插入，但系统没有为其分配端口。"
        "驱动缺失或未加载；请重新插拔，或安装该芯片的驱动。",
    },
}
_BUTTONS: dict[Language, dict[str, str]] = {
    "en": {
        "udev_rule": "Allow access…",
        "join_group": "Join the group…",
        "stop_brltty": "Free the chip…",
        "modem_manager": "Keep it away…",
    },
    "zh": {
        "udev_rule": "允许访问…",
        "join_group": "加入该组…",
        "stop_brltty": "释放芯片…",
        "modem_manager": "阻止其查询…",
    },
}
_MENDS: dict[Language, dict[str, tuple[str, str, str, str]]] = {
    "en": {
        "udev_rule": (
            "Allow access to boards",
            "This file tells the system that whoever sits at this machine may open the ports of boards, and "
            "that ModemManager leaves them alone. The system asks for your password, then the commands "
            "below run.",
            "",
            "The rule is installed and holds from now on.",
        ),
        "join_group": (
            "Join the group of the port",
            "You become a member of the group that may open this port. The system asks for your password, "
            "then this command runs.",
            "Log out and in again afterwards: a group holds from the next login on.",
            "You are a member of the group now. Log out and in again to use it.",
        ),
        "stop_brltty": (
            "Free the chip from brltty",
            "brltty serves Braille displays and takes chips that look like one. It is stopped and does not "
            "start again; its package stays. Do not do this if you use a Braille display. The system asks "
            "for your password, then this command runs.",
            "Plug the board in again afterwards.",
            "brltty is stopped. Plug the board in again.",
        ),
    },
    "zh": {
        "udev_rule": (
            "允许访问开发板",
            "该文件告诉系统：坐在这台电脑前的人可以打开开发板的端口，且 ModemManager 不会查询它们。"
            "系统会要求输入密码，然后执行下面的命令。",
            "",
            "规则已安装，立即生效。",
        ),
        "join_group": (
            "加入端口所属的组",
            "您将成为有权打开该端口的组的成员。系统会要求输入密码，然后执行下面的命令。",
            "完成后请注销并重新登录：组成员身份从下次登录起生效。",
            "您现在已是该组成员。请注销并重新登录后使用。",
        ),
        "stop_brltty": (
            "从 brltty 释放芯片",
            "brltty 用于盲文显示器，会占用看起来相似的芯片。它将被停止且不再启动，软件包保留。"
            "如果您使用盲文显示器，请不要这样做。系统会要求输入密码，然后执行下面的命令。",
            "完成后请重新插上开发板。",
            "brltty 已停止。请重新插上开发板。",
        ),
    },
}
_STEPS: dict[Language, tuple[str, str]] = {
    "en": ("Asking the firmware…", "Asking the boot loader ({0})…"),
    "zh": ("正在询问固件…", "正在询问引导程序（{0}）…"),
}
_ANSWERS: dict[Language, dict[str, str]] = {
    "en": {
        "certain": "It is a board of this kind: {0}. Its firmware ({1}) says so.",
        "chip": "Its boot loader names the chip {0}. These boards have it; choose yours.",
        "strange_chip": "Its boot loader names the chip {0}. No board here has it; choose by hand.",
        "firmware": "It answers as {0}, which is no board that is known here. Choose by hand.",
        "prints": "Something is printed on it, but neither its firmware nor a boot loader answers. "
        "Choose by hand.",
        "nothing": "Nothing answers. Choose by hand, or press the board's reset button and ask again.",
    },
    "zh": {
        "certain": "这是 {0}：其固件（{1}）已说明。",
        "chip": "引导程序说芯片是 {0}。以下开发板使用该芯片，请选择您的开发板。",
        "strange_chip": "引导程序说芯片是 {0}。这里没有使用该芯片的开发板，请手动选择。",
        "firmware": "它自称 {0}，这里没有这种开发板。请手动选择。",
        "prints": "端口上有输出，但固件和引导程序都没有回应。请手动选择。",
        "nothing": "没有任何回应。请手动选择，或按下开发板的复位键后再次查询。",
    },
}


def access_view(problem: AccessProblem, language: Language) -> AccessView:
    """An obstacle in words."""
    button = ""
    if problem.mend is not None:
        key = "modem_manager" if problem.kind == "modem_manager" else problem.mend.key
        button = _BUTTONS[language][key]
    subject = " · ".join(part for part in (problem.subject, problem.usb_id) if part)
    return AccessView(
        problem.place,
        problem.kind,
        _PROBLEMS[language][problem.kind].format(subject),
        problem.kind != "modem_manager",
        button,
    )


def mend_view(mend: Mend, file_name: str, language: Language) -> MendView:
    """A mend in words, before anything is done."""
    title, explanation, afterwards, _done = _MENDS[language][mend.key]
    installs = file_name if mend.content else ""
    return MendView(mend.key, title, explanation, mend.shell_text, installs, mend.content, afterwards)


def mended_sentence(key: str, language: Language) -> str:
    """What is said when a mend was done."""
    return _MENDS[language][key][3]


def step_sentence(step: str, language: Language) -> str:
    """Whom the question goes to now: ``firmware`` or the title of a boot loader."""
    firmware, loader = _STEPS[language]
    return firmware if step == "firmware" else loader.format(step)


def answer_view(
    path: str, found: Identified, facts_of: Callable[[str], tuple[str, str]], language: Language
) -> AskView:
    """What was found out.

    Args:
        facts_of: name and chip of a kind of board by its key.
    """
    words = _ANSWERS[language]
    facts = {key: facts_of(key) for key in found.kinds}
    kinds = tuple((key, name) for key, (name, _chip) in facts.items())
    if found.certain:
        sentence = words["certain"].format(kinds[0][1], found.firmware)
    elif found.chip:
        chip = next((chip for _name, chip in facts.values()), found.chip)
        sentence = words["chip" if kinds else "strange_chip"].format(chip)
    elif found.firmware:
        sentence = words["firmware"].format(found.firmware)
    else:
        sentence = words["prints" if found.prints else "nothing"]
    return AskView(path, False, sentence, kinds, found.certain)
