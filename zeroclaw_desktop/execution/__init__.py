"""The one door to hardware: payload, checks, permission, queue, deadline, handler, report.

Everything that moves a pin comes through ``Executor.submit``: chat, buttons, the command line, later SOPs and
schedules. Nothing in this room knows serial ports; only ``handlers`` talk to boards, through a link that the
executor grants for the time of one action.
"""
