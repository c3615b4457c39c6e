"""Elements as expat reads XML, named by their id, else their name, else their tag."""

import re
from xml.parsers import expat

from reading import run, symbol


def read(data, path):
    parser = expat.ParserCreate()
    found, inside = [], []

    def start(tag, attributes):
        at, name = parser.CurrentByteIndex + 1, tag
        for key in ("id", "xml:id", "name"):
            if key in attributes:
                named = re.compile(rb"\s" + key.encode() + rb"\s*=\s*([\"'])").search(data, at)
                at, end = named.end(), data.index(named[1], named.end())
                name = data[at:end].decode()
                break
        line = len(re.findall(rb"\r\n|\r|\n", data[:at])) + 1
        column = at - max(data.rfind(b"\n", 0, at), data.rfind(b"\r", 0, at))
        found.append(symbol(name, "element", line, column, inside))
        inside.append(tag)

    parser.StartElementHandler = start
    parser.EndElementHandler = lambda tag: inside.pop()
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        raise ValueError(str(error)) from error
    return found


run(read)
