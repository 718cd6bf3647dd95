"""Pieces that answers of models are made of in tests: every opening, end and body of the tool protocols."""

from __future__ import annotations

PIECES: tuple[str, ...] = (
    "<tool_call>", "</tool_call>", "<tool_calls>", "<tools>", "</tools>", "<toolcall>", "<tool", "_call>",
    '{"name":"shell","arguments":{"command":"ls"}}', '{"name":"stop","arguments":{}}',
    '{"name":"gpio_write","arguments":{"pin":13,', '"value":1}}', '{"content":"x","tool_calls":[]}',
    "\n", "\n\n", " ", "`", "``", "```", "```json\n", "```tool_call\n", "```tool shell\n", "~~~", "> ",
    "<think>", "</think>", "<invoke name=\"shell\">", "<invoke>", "</invoke>", '<parameter name="command">',
    "</parameter>", "<function=shell>", "<parameter=command>", "</function>", "<function_calls>",
    "</function_calls>", "<minimax:tool_call>", "[TOOL_CALLS]", 'add{"a":1,"b":2}', "[TOOL_CALL]",
    "[/TOOL_CALL]",
    "TOOL_CALL {", "/TOOL_CALL", 'tool => "shell", args => {--command "ls"}}', "<|python_tag|>", "<|eom_id|>",
    "get_weather(city='x')", "[get_weather(days=1), stop()]", "[", "]", "{", "}", '"', "'", "\\", ":", ",",
    "“",
    "：", "｛", "<tool_result>", "</tool_result>", "<document>", "</document>", "<arg_key>", "</arg_key>",
    "<arg_value>", "</arg_value>", "<", ">", "😀", "\u200d", "é", "shell>ls", "shell/command>ls",
    "<｜tool▁calls▁begin｜>", "<｜tool▁call▁begin｜>shell<｜tool▁sep｜>", "<｜tool▁call▁end｜>",
    "<｜tool▁calls▁end｜>", "<|tool_calls_section_begin|>", "<|tool_call_begin|>functions.stop:0",
    "<|tool_call_argument_begin|>", "<|tool_call_end|>", "<|tool_calls_section_end|>",
    '<｜DSML｜function_calls><｜DSML｜invoke name="stop">', "</｜DSML｜invoke></｜DSML｜function_calls>",
    "an example", "例如", "word ", "x" * 130, " " * 130, "y" * 410,
)  # fmt: skip
