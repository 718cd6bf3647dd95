"""Each line format, stated by hand from its own description."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zeroclaw_desktop.hardware.telemetry.line_parser import TelemetryParser
from zeroclaw_desktop.hardware.telemetry.sample import ParsedLine

Expected = list[tuple[str, float, str, float | None]]


def read(line: str | bytes, encoding: str = "utf-8") -> ParsedLine | None:
    return TelemetryParser(encoding).feed_line(line.encode() if isinstance(line, str) else line)


def samples(line: str | bytes) -> Expected:
    parsed = read(line)
    assert parsed is not None, f"{line!r} was taken for text"
    return [(label, value, unit, time_ms) for label, value, unit, time_ms in parsed.samples]


def plain(**values: float) -> Expected:
    return [(label, value, "", None) for label, value in values.items()]


class TestFirmware:
    def test_telemetry_event(self) -> None:
        line = '{"evt":"telemetry","signal":"a0","value":512,"t":12345}'
        assert samples(line) == [("a0", 512.0, "", 12345.0)]
        parsed = read(line)
        assert parsed is not None
        assert parsed.is_protocol is False

    def test_change_event_is_a_sample_and_goes_to_the_session(self) -> None:
        parsed = read('{"evt":"change","signal":"d2","value":1,"t":7}')
        assert parsed is not None
        assert parsed.is_protocol
        assert parsed.event == "change"
        assert [tuple(sample) for sample in parsed.samples] == [("d2", 1.0, "", 7.0)]

    @pytest.mark.parametrize(
        "line",
        [
            '{"id":"1","ok":true,"result":"pong"}',
            '{"id":7,"ok":false,"error":"bad pin"}',
            '{"evt":"boot","fw":"zeroclaw-arduino","version":"1.0.0","reset":"power"}',
            '{"evt":"telemetry"}',
            '{"evt":5}',
        ],
    )
    def test_messages_without_samples_go_to_the_session(self, line: str) -> None:
        parsed = read(line)
        assert parsed is not None
        assert parsed.is_protocol
        assert parsed.samples == ()

    def test_sensor_object_with_an_id_is_plotted_and_shown_to_the_session(self) -> None:
        parsed = read('{"id":3,"temp":21.5}')
        assert parsed is not None
        assert parsed.is_protocol
        assert [tuple(sample) for sample in parsed.samples] == plain(temp=21.5)

    def test_null_is_a_gap(self) -> None:
        [(label, value, _, _)] = samples('{"evt":"telemetry","signal":"a0","value":null,"t":1}')
        assert label == "a0"
        assert math.isnan(value)


class TestJson:
    def test_nested_names_are_dotted_and_only_numbers_count(self) -> None:
        line = '{"a":1,"on":true,"s":"x","imu":{"acc":[1,-2.5e1],"ok":false},"n":{"z":0}}'
        assert samples(line) == [
            ("a", 1.0, "", None),
            ("imu.acc.0", 1.0, "", None),
            ("imu.acc.1", -25.0, "", None),
            ("n.z", 0.0, "", None),
        ]

    def test_gaps_as_boards_print_them(self) -> None:
        found = samples('{"a":nan,"b":-inf,"c":ovf,"d":NaN,"e":1e999,"f":null,"g":2}')
        assert [label for label, *_ in found] == list("abcdefg")
        assert [math.isnan(value) for _, value, *_ in found] == [True] * 6 + [False]

    def test_named_clock_is_the_time_of_the_others(self) -> None:
        assert samples('{"millis":1500,"temp":20}') == [("temp", 20.0, "", 1500.0)]
        assert samples('{"micros":1500,"temp":20}') == [("temp", 20.0, "", 1.5)]

    def test_t_may_be_a_temperature(self) -> None:
        assert samples('{"t":20,"h":40}') == plain(t=20.0, h=40.0)

    @pytest.mark.parametrize(
        "line", ["{}", '{"a":"1"}', '{"a":true}', '{"a":1', "{a:1}", '{"a":' * 2000, "[" * 4000]
    )
    def test_anything_else_is_text(self, line: str) -> None:
        assert read(line) is None

    def test_a_huge_integer_is_a_gap(self) -> None:
        [(_, value, _, _)] = samples('{"a":1' + "0" * 400 + "}")
        assert math.isnan(value)


class TestTeleplot:
    """Examples after the README of github.com/nesnes/teleplot."""

    @pytest.mark.parametrize(
        ("line", "expected"),
        [
            (">myValue:1234", [("myValue", 1234.0, "", None)]),
            (">myValue:1627551892437:1234", [("myValue", 1234.0, "", 1627551892437.0)]),
            (">myValue:1234§km²", [("myValue", 1234.0, "km²", None)]),
            (">a:10:1;20:2§V|np", [("a", 1.0, "V", 10.0), ("a", 2.0, "V", 20.0)]),
            (">a:1;2;3", [("a", 1.0, "", None), ("a", 2.0, "", None), ("a", 3.0, "", None)]),
            (">track:1:2|xy", [("track.x", 1.0, "", None), ("track.y", 2.0, "", None)]),
            (">track:1:2:900|xy,clr", [("track.x", 1.0, "", 900.0), ("track.y", 2.0, "", 900.0)]),
            (">motor speed, widget1:5|g", [("motor speed", 5.0, "", None)]),
            ("> a: 5 ", [("a", 5.0, "", None)]),
        ],
    )
    def test_samples(self, line: str, expected: Expected) -> None:
        assert samples(line) == expected

    @pytest.mark.parametrize(
        "line", [">", ">a", ">a:", ">a:b", ">s:ON|t", ">3D|box:S:cube", ">a:1:2:3", ">:1"]
    )
    def test_text(self, line: str) -> None:
        assert read(line) is None

    def test_a_sample_with_time_but_without_its_prefix_is_worth_a_hint(self) -> None:
        parser = TelemetryParser()
        assert parser.feed_line(b"temp:1627551892437:21.5") is None
        assert parser.missing_prefix_lines == 1


class TestLabelled:
    @pytest.mark.parametrize(
        ("line", "expected"),
        [
            ("P: 12", plain(P=12.0)),
            ("a:1,b:2", plain(a=1.0, b=2.0)),
            ("a=1;b=2", plain(a=1.0, b=2.0)),
            ("a:1\tb:2", plain(a=1.0, b=2.0)),
            ("a:1 b:-2.5e-3 c:+.5", plain(a=1.0, b=-0.0025, c=0.5)),
            ("a : 1 , b = 2,", plain(a=1.0, b=2.0)),
            ("T: 23 | H: 40", plain(T=23.0, H=40.0)),
            ("temp:23.5C,hum:40.0%", [("temp", 23.5, "C", None), ("hum", 40.0, "%", None)]),
            ("T: 23.5 C H: 40 %", [("T", 23.5, "C", None), ("H", 40.0, "%", None)]),
            ("Pressure = 1013.2 hPa", [("Pressure", 1013.2, "hPa", None)]),
            ("Approx. Altitude = 34.2 m", [("Approx. Altitude", 34.2, "m", None)]),
            ("Humidity (%): 40", [("Humidity", 40.0, "%", None)]),
            ("state:ON,temp:3", plain(temp=3.0)),
            ("time=12:30:45,temp=3", plain(temp=3.0)),
            ("12:30:45.123 -> temp:23", plain(temp=23.0)),
            ("[12:30:45] temp:23", plain(temp=23.0)),
            ("millis:250,x:1", [("x", 1.0, "", 250.0)]),
            ("\x1b[32mtemp:1\x1b[0m", plain(temp=1.0)),
        ],
    )
    def test_samples(self, line: str, expected: Expected) -> None:
        assert samples(line) == expected

    @pytest.mark.parametrize("gap", ["nan", "NaN", "-nan", "inf", "-INF", "ovf", "Infinity", "1e999"])
    def test_gaps(self, gap: str) -> None:
        [(_, first, _, _), (_, second, _, _)] = samples(f"t:{gap} h:2")
        assert math.isnan(first)
        assert second == 2.0

    def test_thirty_two_series_and_more(self) -> None:
        line = ",".join(f"s{number}:{number}" for number in range(40))
        assert samples(line) == [(f"s{number}", float(number), "", None) for number in range(40)]

    @pytest.mark.parametrize(
        "line",
        [
            "12:30:45",
            "Connected to: 192.168.1.17",
            "Listening on the port: 80",
            "Temp: 23.5, all fine",
            "a:1 and b:2",
            "a:0x1F",
            "nano: nanometre",
            "x: 1.2.3",
            "a:1b:2",
        ],
    )
    def test_text(self, line: str) -> None:
        assert read(line) is None

    @pytest.mark.parametrize("sign", [b"\xb0", b"\xb5"])
    def test_latin1_sign_after_a_number_is_accepted(self, sign: bytes) -> None:
        assert samples(b"a:30.1" + sign + b"C") == [("a", 30.1, sign.decode("latin-1") + "C", None)]

    @pytest.mark.parametrize(
        "line", [b"\xce\xc2\xb6\xc8:23.5", b"a\xff:1", b"a:1\x00", b"\x07a:1", b"\xb0:1"]
    )
    def test_noise_is_text(self, line: bytes) -> None:
        assert read(line) is None


class TestColumns:
    @pytest.mark.parametrize(
        ("line", "values"),
        [
            ("5", [5.0]),
            ("1,2,3", [1.0, 2.0, 3.0]),
            ("1, 2, 3,", [1.0, 2.0, 3.0]),
            ("1\t2\t3", [1.0, 2.0, 3.0]),
            ("1 2  3", [1.0, 2.0, 3.0]),
            ("(1,2,3)", [1.0, 2.0, 3.0]),
            ("[1, -2.5]", [1.0, -2.5]),
            ("1,5;2,5", [1.5, 2.5]),
        ],
    )
    def test_positions_are_numbered(self, line: str, values: list[float]) -> None:
        assert samples(line) == [
            (f"value {number}", value, "", None) for number, value in enumerate(values, 1)
        ]

    def test_units(self) -> None:
        assert samples("23.5 °C, 40 %") == [("value 1", 23.5, "°C", None), ("value 2", 40.0, "%", None)]

    def test_empty_cell_is_a_gap_and_keeps_the_places(self) -> None:
        found = samples("1,,3")
        assert [label for label, *_ in found] == ["value 1", "value 2", "value 3"]
        assert math.isnan(found[1][1])

    def test_a_time_of_day_is_no_series(self) -> None:
        assert samples("2024-01-05 12:30:45,23.5") == [("value 2", 23.5, "", None)]
        assert samples("12:30:45,23.5") == [("value 2", 23.5, "", None)]

    @pytest.mark.parametrize("line", ["1,two,3", "go 1 2", "(1,2", "5th", "2024-01-05", "1 2 three", "1,2)"])
    def test_text(self, line: str) -> None:
        assert read(line) is None

    def test_header_names_the_columns_and_a_new_one_replaces_it(self) -> None:
        parser = TelemetryParser()
        lines = ["temp (C),hum", "20,40", "21,", "a,b", "1,2", "1,2,3", "1,2"]
        found = [
            None
            if (parsed := parser.feed_line(line.encode())) is None
            else [(s.label, s.unit) for s in parsed.samples]
            for line in lines
        ]
        named = [("temp", "C"), ("hum", "")]
        numbered = [("value 1", ""), ("value 2", "")]
        assert found == [
            None,
            named,
            named,
            None,
            [("a", ""), ("b", "")],
            [*numbered, ("value 3", "")],
            numbered,
        ]

    def test_header_may_name_the_clock_and_hold_text_columns(self) -> None:
        parser = TelemetryParser()
        parser.feed_line(b"millis,state,temp")
        parsed = parser.feed_line(b"1500,idle,21.5")
        assert parsed is not None
        assert [tuple(sample) for sample in parsed.samples] == [("temp", 21.5, "", 1500.0)]

    @pytest.mark.parametrize("between", [b"Hello there friend", b"x:1", b">x:1", b"a, b"])
    def test_a_header_counts_only_right_before_its_rows_and_in_their_style(self, between: bytes) -> None:
        parser = TelemetryParser()
        parser.feed_line(b"temp,hum")
        parser.feed_line(between)
        parsed = parser.feed_line(b"1,2")
        assert parsed is not None
        assert [sample.label for sample in parsed.samples] == ["value 1", "value 2"]

    def test_reset_forgets_the_header(self) -> None:
        parser = TelemetryParser()
        parser.feed_line(b"temp,hum")
        parser.feed_line(b"1,2")
        parser.reset()
        parsed = parser.feed_line(b"1,2")
        assert parsed is not None
        assert [sample.label for sample in parsed.samples] == ["value 1", "value 2"]


FRAGMENTS = st.sampled_from(
    [
        *'{}:,;|§>(["=：',
        " ",
        "\t",
        '"a"',
        "nan",
        "1",
        "-2.5",
        "e5",
        "°C",
        "evt",
        "id",
        "12:30:45",
        "true",
        "null",
    ]
)


@given(
    st.one_of(
        st.binary(max_size=200), st.lists(FRAGMENTS, max_size=30).map(lambda parts: "".join(parts).encode())
    )
)
def test_no_line_makes_the_parser_raise_or_give_an_unusable_sample(line: bytes) -> None:
    parsed = TelemetryParser().feed_line(line)
    for sample in parsed.samples if parsed else ():
        assert sample.label
        assert not math.isinf(sample.value)
        assert sample.device_time_ms is None or math.isfinite(sample.device_time_ms)


@given(
    st.lists(
        st.tuples(st.from_regex(r"[a-z][a-z0-9_]{0,8}", fullmatch=True), st.floats(-1e9, 1e9)),
        min_size=1,
        max_size=8,
        unique_by=lambda pair: pair[0],
    ),
    st.sampled_from([",", ", ", ";", "\t", " "]),
    st.sampled_from([":", ": ", "=", " = "]),
)
def test_what_a_sketch_prints_is_what_comes_out(
    pairs: list[tuple[str, float]], separator: str, sign: str
) -> None:
    pairs = [(f"v{label}", value) for label, value in pairs]
    line = separator.join(f"{label}{sign}{value!r}" for label, value in pairs)
    assert samples(line) == [(label, value, "", None) for label, value in pairs]
