"""The head of a request is read in one way or not at all."""

from __future__ import annotations

import contextlib
import time

import pytest

from renderer.edge.http.head import BadRequestError, read_head

GET = b"GET / HTTP/1.1\r\nHost: a"


@pytest.mark.parametrize(
    ("data", "method", "path", "query"),
    [
        (GET, "GET", "/", ""),
        (b"GET /a?b=c?d HTTP/1.1\r\nhost:a", "GET", "/a", "b=c?d"),
        (b"GET /a HTTP/1.0", "GET", "/a", ""),
        (b"GET http://a:80/b?c HTTP/1.1\r\nHost: a", "GET", "/b", "c"),
        (b"GET HTTPS://a HTTP/1.1\r\nHost: a", "GET", "/", ""),
        (b"get //x/../y HTTP/1.1\r\nHost: a", "get", "//x/../y", ""),
    ],
)
def test_what_is_asked_for(data: bytes, method: str, path: str, query: str) -> None:
    head = read_head(data).head
    assert (head.method, head.path, head.query) == (method, path, query)


def test_fields_have_no_case_and_no_space_around_them() -> None:
    read = read_head(GET + b"\r\nACCEPT: \t x y\t \r\nAccept:z\r\nX:\xe9\r\nEmpty:")
    assert read.head.headers == {"host": "a", "accept": "x y, z", "x": "\u00e9", "empty": ""}
    assert (read.length, read.expects_word) == (None, False)


def test_a_body_is_announced() -> None:
    read = read_head(GET + b"\r\nContent-Length: 007\r\nExpect: 100-Continue")
    assert (read.length, read.expects_word) == (7, True)


@pytest.mark.parametrize(
    ("data", "status"),
    [
        pytest.param(b"", 400, id="nothing"),
        pytest.param(b"GET /", 400, id="without-a-version"),
        pytest.param(b"GET  / HTTP/1.1\r\nHost: a", 400, id="two-spaces"),
        pytest.param(b"GET / HTTP/1.1 \r\nHost: a", 400, id="a-space-at-the-end"),
        pytest.param(b" GET / HTTP/1.1\r\nHost: a", 400, id="a-space-at-the-start"),
        pytest.param(b"GET /\x00 HTTP/1.1\r\nHost: a", 400, id="a-zero"),
        pytest.param(b"GET /\xc3\xa9 HTTP/1.1\r\nHost: a", 400, id="no-ascii"),
        pytest.param(b"GET a HTTP/1.1\r\nHost: a", 400, id="no-path"),
        pytest.param(b"OPTIONS * HTTP/1.1\r\nHost: a", 400, id="an-asterisk"),
        pytest.param(b"CONNECT a:80 HTTP/1.1\r\nHost: a", 400, id="a-proxy-is-meant"),
        pytest.param(b"GET /a#b HTTP/1.1\r\nHost: a", 400, id="a-fragment"),
        pytest.param(b"GET / HTTP/1.1\nHost: a", 400, id="lines-that-end-otherwise"),
        pytest.param(b"GET / HTTP/1.1", 400, id="no-host"),
        pytest.param(GET + b"\r\nHost: b", 400, id="two-hosts"),
        pytest.param(b"GET / HTTP/2.0\r\nHost: a", 505, id="a-newer-version"),
        pytest.param(b"GET / HTTP/0.9\r\nHost: a", 505, id="an-older-version"),
        pytest.param(b"GET /" + b"a" * 5000 + b" HTTP/1.1\r\nHost: a", 414, id="a-long-target"),
        pytest.param(GET + b"\r\nX: 1" * 70, 431, id="many-fields"),
        pytest.param(GET + b"\r\nX", 400, id="no-colon"),
        pytest.param(GET + b"\r\nX : 1", 400, id="a-space-before-the-colon"),
        pytest.param(GET + b"\r\nX: 1\r\n 2", 400, id="a-folded-line"),
        pytest.param(GET + b"\r\nX: 1\r2", 400, id="half-a-line-end"),
        pytest.param(GET + b"\r\nX: 1\x00", 400, id="a-zero-in-a-field"),
        pytest.param(GET + b"\r\n: 1", 400, id="a-field-without-a-name"),
        pytest.param(GET + b"\r\nAuthorization: a\r\nauthorization: b", 400, id="two-tokens"),
        pytest.param(GET + b"\r\nContent-Length: 1\r\nContent-Length: 1", 400, id="two-lengths"),
        pytest.param(GET + b"\r\nContent-Length: 1, 1", 400, id="two-lengths-in-one"),
        pytest.param(GET + b"\r\nContent-Length: -1", 400, id="less-than-nothing"),
        pytest.param(GET + b"\r\nContent-Length: +1", 400, id="a-sign"),
        pytest.param(GET + b"\r\nContent-Length: 0x1", 400, id="another-base"),
        pytest.param(GET + b"\r\nContent-Length: " + b"9" * 13, 400, id="more-than-anybody-has"),
        pytest.param(GET + b"\r\nContent-Length:", 400, id="an-empty-length"),
        pytest.param(
            GET + b"\r\nContent-Length: 1\r\nTransfer-Encoding: chunked", 400, id="a-length-and-chunks"
        ),
        pytest.param(
            GET + b"\r\nTransfer-Encoding: chunked\r\nContent-Length: 1", 400, id="chunks-and-a-length"
        ),
        pytest.param(GET + b"\r\nTransfer-Encoding: chunked", 411, id="chunks"),
        pytest.param(GET + b"\r\nTransfer-Encoding:\tx-chunked", 411, id="something-like-chunks"),
        pytest.param(GET + b"\r\nExpect: a miracle", 417, id="an-expectation"),
    ],
)
def test_what_could_be_understood_otherwise_is_refused(data: bytes, status: int) -> None:
    with pytest.raises(BadRequestError) as raised:
        read_head(data)
    assert raised.value.response.status == status


@pytest.mark.parametrize(
    "line",
    [b"X:" + b" " * 16_000 + b"\x01", b"X:" + b"\t " * 8_000 + b"a", b":" * 16_000, b"a" * 16_000],
)
def test_no_line_takes_long(line: bytes) -> None:
    began = time.perf_counter()
    with contextlib.suppress(BadRequestError):
        read_head(GET + b"\r\n" + line)
    assert time.perf_counter() - began < 0.5
