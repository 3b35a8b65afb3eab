// YAML of our own writing: scalars in every place they are read differently, block texts, anchors, streams, and what is no YAML.

export interface AskedYaml {
  readonly id: string;
  readonly yaml?: string;
  readonly yamlBase64?: string;
}

export function askedYaml(): readonly AskedYaml[] {
  return Object.entries(GROUPS).flatMap(([name, texts]) =>
    texts.map((text, index) => ({
      id: `${name}/${index}`,
      ...(typeof text === 'string' ? { yaml: text } : { yamlBase64: Buffer.from(text).toString('base64') }),
    })),
  );
}

/** Plain scalars, each of which some reader of YAML takes for something else. */
const SCALARS: readonly string[] = [
  'yes', 'No', 'ON', 'off', 'y', 'N', 'true', 'True', 'TRUE', 'tRue', 'null', 'Null', '~', 'NULL', 'nil', 'None',
  '0', '-0', '+1', '007', '08', '0o17', '0x1F', '0xZZ', '0b101', '1_000', '1__0', '_1', '1_', '-0x10', '+0b11',
  '9223372036854775807', '9223372036854775808', '-9223372036854775808', '-9223372036854775809', '18446744073709551615', '18446744073709551616',
  '1.0', '1.', '.5', '-.5', '1e3', '1E+3', '1e-3', '1e400', '-1e400', '6.02e23', '0.1', '1.10', '1_0.5', '.inf', '-.Inf', '.NAN', '.nan', 'inf', 'NaN',
  '1e21', '1e20', '0.000001', '0.0000001', '123456789.123456789', '100000000000000000000',
  '1:30', '190:20:30', '12:30:45.5', '2024-02-29', '2024-02-29T12:30:45Z', '2024-02-29 12:30:45', '2024-2-9',
  '=', '<<', '-', '--', '?a', ':a', 'a:b', 'a#b', '10Mi', '1.2.3', '10.0.0.0/8', 'v1', '@a', '`a`', '%a', '&', '*', '!', '|x', '>x',
];

const QUOTED: readonly string[] = [
  '"yes"', "'1'", '"a\\nb"', '"\\u00e4\\U0001F642\\x41\\/"', "'it''s'", '"a\\\n  b"', '"line\n  folded\n\n  twice"', "'line\n  folded'", '"\\q"', '"open', "'open", '""', "''",
  '"\\0\\a\\b\\e\\f\\v\\N\\_\\L\\P"', '"tab\\there"', '"\\ud83d\\ude42"', '"<a> & \'b\'"', '"\u2028"', '"a" b', "!!str 'x'", '!!int "7"',
];

const BLOCKS: readonly string[] = ['|', '>', '|-', '>-', '|+', '>+', '|2', '>1', '|2-', '|0', '|10', '| # why', '|x'];

const GROUPS: Readonly<Record<string, readonly (string | Uint8Array)[]>> = {
  value: SCALARS.map((scalar) => `v: ${scalar}\n`),
  key: SCALARS.filter((scalar) => !['<<'].includes(scalar)).map((scalar) => `${scalar}: v\n`),
  item: SCALARS.map((scalar) => `- ${scalar}\n`),
  flow: SCALARS.map((scalar) => `{k: [${scalar}, x]}\n`),
  quoted: [...QUOTED.map((text) => `v: ${text}\n`), ...QUOTED.slice(0, 6).map((text) => `${text}: v\n`)],
  block: BLOCKS.flatMap((header) => [`v: ${header}\n  one\n   two\n\n  three\n\n\nw: 1\n`, `v: ${header}\n\n    deep\n  less\n`, `v: ${header}\n`]),
  tag: [
    'v: !!str 1\n', 'v: !!int "1"\n', 'v: !!int a\n', 'v: !!float 1\n', 'v: !!float "1.5"\n', 'v: !!bool "yes"\n', 'v: !!bool maybe\n', 'v: !!null ""\n', 'v: !!null x\n',
    'v: !!binary aGVsbG8=\n', 'v: !!binary "???"\n', 'v: !!binary /w==\n', 'v: !!map {a: 1}\n', 'v: !!seq [1]\n', 'v: !!map [1]\n', 'v: !!set {a, b}\n', 'v: !!timestamp 2024-01-01\n',
    'v: !custom 1\n', 'v: !custom {a: 1}\n', 'v: !<tag:yaml.org,2002:str> 1\n', '!!str 1: v\n', 'v: ! 1\n', 'v: !!unknown 1\n', '%TAG ! tag:example.com,2024:\n---\nv: !a 1\n', 'v: !e!x 1\n',
  ],
  anchor: [
    'a: &x 1\nb: *x\n', 'a: &x {k: [1]}\nb: *x\n', 'b: *x\n', 'a: &x [*x]\n', 'a: &x {b: *x}\n', '&k a: 1\nb: *k\n', 'a: &x 1\nb: &x 2\nc: *x\n', 'a: &x\nb: *x\n', 'a: & 1\n', '- &a a\n- *a : v\n',
    'a: &x !!str 1\nb: *x\n', 'a: &1 x\nb: *1\n', 'a: *\n', 'a: &x y: 1\n',
  ],
  merge: [
    'a: &x {k: 1, l: 2}\nb:\n  <<: *x\n  k: 3\n', 'a: &x {k: 1}\nb: {k: 3, <<: *x}\n', 'a: &x {k: 1}\ny: &y {k: 2, m: 3}\nb:\n  <<: [*x, *y]\n', 'a:\n  <<: {k: 1}\n', 'a:\n  <<: 1\n', 'a:\n  <<: [1]\n',
    'a: &x [1]\nb:\n  <<: *x\n', 'a:\n  "<<": {k: 1}\n', 'a:\n  <<: null\n', 'a: &x {k: 1}\nb: &y {<<: *x, l: 2}\nc: {<<: *y}\n', 'v: <<\n', 'a:\n  <<: {k: 1}\n  <<: {l: 2}\n', 'a: &x {k: 1}\nb:\n  !!merge <<: *x\n',
  ],
  repeated: [
    'a: 1\na: 2\n', 'a: 1\nb: {c: 1, c: 2}\n', '- {x: 1, y: 2, x: 3}\n', '"a": 1\na: 2\n', 'a: 1\nA: 2\n', 'null: 1\n~: 2\n', '1: a\n0x1: b\n', 'a: 1\nb: 2\na: 3\nb: 4\n', 'a:\n  b: 1\nc:\n  b: 1\n  b: 2\n',
  ],
  structure: [
    'a:\n- 1\n- 2\n', 'a:\n  - 1\n  -\n    - 2\n  - - 3\n    - 4\n', '- a: 1\n  b: 2\n- c\n', '-\n  a: 1\n', 'a:\n', 'a: b: c\n', 'a\n', '? a\n: b\n', '? [1, 2]\n: b\n', '? {a: 1}\n: b\n', '? |\n  long\n: v\n', '{a: 1, b}\n', '{a, }\n', '[a, , b]\n', '[a\n', '{a: 1\n', 'a: ]\n', 'a: }\n',
    'a: [1,\n  2]\n', 'a: {b: 1,\nc: 2}\n', '{"a":1}\n', '{"a":1,}\n', '{a:1}\n', '[a: 1]\n', '[? a : b]\n', 'a: - b\n', ' a: 1\n', ' a: 1\nb: 2\n', 'a: 1\n b: 2\n', 'a:\n    b: 1\n  c: 2\n', '\ta: 1\n', 'a:\t1\n', 'a:\n\tb: 1\n', 'a: 1\t# c\n', 'a: b\tc\n', '- a\n  - b\n', 'a: "x"y\n', "a: 'x' # c\n",
    'a: long\n  plain\n  text\n', 'a: long\n\n  text\n', 'a: x # c\n  y\n', '#only\n', '# c\na: 1 # d\n#e\n', 'a: b #c\n', 'a: b#c\n', 'a: 1\n...\n', '...\n', '', '\n\n', '   \n', '~\n', 'a: 1\r\nb: 2\r\n', 'a: |\r\n  x\r\n  y\r\n', 'a: 1\rb: 2\r', '[]\n', '{}\n', '"text"\n', '1.0\n', 'a: !\n', '%YAML 1.1\n---\na: 1\n', '%YAML 1.2\n---\na: yes\n', '%YAML 2.0\n---\na: 1\n', '%FOO bar\n---\na: 1\n',
    'a: 1\n--- b\n', 'key with spaces: v\n', '"quoted key" : v\n', 'a : v\n', 'http://x: y\n', 'a: http://x\n', '[http://x:80]\n', '{a: http://x}\n', 'ä: ö\n', 'a: \u0085b\n', 'a: \u00a0b\n', 'a: "\u0007"\n', 'a: \u0001\n', 'a: 🙂\n', '🙂: [🙂]\n',
    '[[[[[1]]]]]\n', '- - - - 1\n', 'a: {b: {c: {d: [e]}}}\n', '- ? a\n', '-1\n', '- -1\n', '-a: 1\n', 'a: [b, c]: d\n', '- [a]: b\n', 'true: 1\n1: 2\n1.5: 3\nnull: 4\n', '1e3: a\n', '0x10: a\n', '.inf: a\n', '.nan: a\n', '2024-01-01: a\n', '[]: a\n',
  ],
  stream: [
    'a: 1\n---\nb: 2\n', '---\na: 1\n---\n---\nb: 2\n', '---\n', '---\n---\n', '--- {a: 1}\n---\nb: 2\n', 'a: 1\n--- # c\nb: 2\n', 'a: 1\n---b\n', 'a: |\n  ---\nb: 1\n', 'a: |\n---\nb: 1\n', 'a: 1\n---\n# only\n---\nb: 2\n', 'a: 1\n...\n---\nb: 2\n', 'a: 1\n...\nb: 2\n', '---\na: 1\n...\n', 'a: 1\n---   \nb: 2\n', 'a: 1\n---\t\nb: 2\n', 'a: 1\n----\nb: 2\n',
    '# head\n---\na: 1\n', 'a: 1\r\n---\r\nb: 2\r\n', 'a: 1\n---\n[\n---\nb: 2\n', 'a: 1\n---\nnull\n---\nb: 2\n', '\n---\n\n---\na: 1', '{"a":1}\n{"b":2}\n', '{"a":1}{"b":2}', '{"a":1}\n---\n{"b":2}\n', '{"a":1}\nb: 2\n', '{"a": 1, "a": 2}\n', '[1]\n[2]\n', '"x"\n"y"\n', '{"a":1} # c\n', '{"a":1,}\n', ' {"a": 1}\n', '{a: 1}\n---\n{b: 2}\n', '{"a":\n', '{"a":1}}\n', '{}\n---\na: 1\n',
    '%YAML 1.1\n---\na: 1\n---\nb: 2\n', 'a: "x\n---\ny"\n', 'a: 1\n---\n---\n', 'a: 1\n--- |\n  text\n', 'a: 1\n---\n- 2\n', '{"a": "\\ud800"}', '{"a": 1e2, "b": 1.0, "c": 12345678901234567890}', '{"a": 01}', "{'a': 1}", '{"a": NaN}', '{"a"\n:1}', 'a: 1\n --- \nb: 2\n',
  ],
  manifest: [
    'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: shop\ndata:\n  on: "true"\n  port: "8080"\n  script: |\n    #!/bin/sh\n    echo ---\n',
    'apiVersion: v1\nkind: Secret\nmetadata: {name: s}\ndata:\n  a: YQ==\nstringData:\n  n: "1"\n  t: 2024-01-01\n',
    'apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\n  labels: &l\n    app: web\nspec:\n  replicas: 0x2\n  selector:\n    matchLabels: *l\n  template:\n    metadata:\n      labels:\n        <<: *l\n        tier: "1"\n    spec:\n      containers:\n      - name: web\n        image: example.com/web:1.0\n        ports: [{containerPort: 80}]\n        args: [--port=80, -v, "on", on]\n',
    'kind: Pod\napiVersion: v1\nspec:\n  containers:\n  - {name: a, image: "b", command: [sh, -c, "echo {}"]}\n  terminationGracePeriodSeconds: 1_0\n',
    'spec:\n  mode: 0644\n  other: 0o644\n  text: "0644"\n  time: 12:30\n  mac: 00:11:22:33:44:55\n  sha: 1234567e8\n  version: 1.20\n  country: NO\n',
    'metadata:\n  annotations:\n    a: |-\n      {"x": [1, 2]}\n    b: >-\n      folded\n      text\n    c: "{{ .Values.x }}"\n    d: {{ .Values.x }}\n',
    '{{- if .Values.on }}\na: 1\n{{- end }}\n',
    'a: {{ .Values.x }}\n',
    'a: ${VAR}\nb: $(VAR)\nc: %VAR%\n',
  ],
  bytes: [
    new Uint8Array([0xef, 0xbb, 0xbf, ...Buffer.from('a: 1\n')]),
    new Uint8Array([0xef, 0xbb, 0xbf]),
    new Uint8Array([...Buffer.from('a: 1\n---\n'), 0xef, 0xbb, 0xbf, ...Buffer.from('b: 2\n')]),
    new Uint8Array([...Buffer.from('a: '), 0xff, 0x0a]),
    new Uint8Array([...Buffer.from('a: "'), 0xc3, 0x22, 0x0a]),
    new Uint8Array([...Buffer.from('a: '), 0xed, 0xa0, 0x80, 0x0a]),
    new Uint8Array([...Buffer.from('a: x'), 0x00, 0x0a]),
    new Uint8Array([0xff, 0xfe, ...Buffer.from('a: 1\n', 'utf16le')]),
    new Uint8Array([0xfe, 0xff, 0, 0x61, 0, 0x3a, 0, 0x20, 0, 0x31]),
    new Uint8Array([...Buffer.from('a: '), 0x7f, 0x0a]),
    new Uint8Array([...Buffer.from('a: '), 0xc2, 0x80, 0x0a]),
  ],
};
