import { isIP } from 'node:net'

/** One spelling of an address that no request may reach. */
export interface Spelling {
  /** `{port}` stands for the port of a listener. */
  readonly text: string
  /** The host according to URL parsers, without brackets; null if it is not a valid URL. */
  readonly host: string | null
}

/** Loopback, private networks, cloud metadata addresses, and reserved ranges. */
const FOUR = [
  '127.0.0.1',
  '127.0.0.2',
  '127.255.255.254',
  '0.0.0.0',
  '0.0.0.1',
  '10.0.0.1',
  '100.64.0.1',
  '100.100.100.200',
  '169.254.169.254',
  '169.254.170.2',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.192',
  '192.168.0.1',
  '198.18.0.1',
  '198.51.100.7',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
]

const SIX = [
  '::',
  '::1',
  '0:0:0:0:0:0:0:1',
  '0000:0000:0000:0000:0000:0000:0000:0001',
  '::0.0.0.1',
  '::ffff:7f00:1',
  '::FFFF:7F00:0001',
  '0:0:0:0:0:ffff:127.0.0.1',
  '::ffff:0:0',
  '::ffff:0:127.0.0.1',
  '64:ff9b::7f00:1',
  '64:ff9b::a9fe:a9fe',
  '64:ff9b:1::7f00:1',
  '2002:7f00:1::',
  '2002:7f00:0001::1',
  '2002:a9fe:a9fe::',
  '2001::1',
  '2001:0:4136:e378:8000:63bf:80ff:fffe',
  '2001:10::1',
  '2001:20::1',
  '2001:db8::1',
  '3fff::1',
  '5f00::1',
  '100::1',
  'fe80::1',
  'fe80::5efe:7f00:1',
  'fe80::1%25lo',
  'fe80::1%lo',
  '::1%25lo',
  '::1%250',
  'fec0::1',
  'fc00::1',
  'fd00:ec2::254',
  'fd00:ec2:0:0:0:0:0:254',
  'fd12:3456:789a::1',
  'ff01::1',
  'ff02::1',
  'ff05::1:3',
  '4000::1',
  '::1]x[',
]

/** Names that resolve to the machine itself, and invalid names. */
const NAMES = [
  'localhost',
  'LOCALHOST',
  'lOcAlHoSt',
  'localhost.',
  'localhost..',
  '.localhost',
  'ｌｏｃａｌｈｏｓｔ',
  'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ',
  'loc%61lhost',
  '%6c%6f%63%61%6c%68%6f%73%74',
  'local\u00adhost',
  'local\u200bhost',
  'localhost%00',
  'localhost%2e',
  'localhost%2f',
  'xn--',
  'xn--localhost-',
  '',
  '.',
  '..',
  '%20',
  '[',
  '[]',
  '[localhost]',
  '[127.0.0.1]',
  '127.0.0.1.1',
  '256.0.0.1',
  '127.0.0.0x',
  '0x7f.0.0.0x1g',
  '4294967296',
  `${'a'.repeat(64)}.localhost`,
  `${'a.'.repeat(130)}localhost`,
  'l'.repeat(5000),
]

const digits = (text: string, first: number) => text.replaceAll(/\d/g, (digit) => String.fromCodePoint(first + Number(digit)))

/** An IPv4 address in every notation that some program accepts. */
const notations = (dotted: string): string[] => {
  const parts = dotted.split('.').map(Number)
  const [a = 0, b = 0, c = 0, d = 0] = parts
  const whole = ((a * 256 + b) * 256 + c) * 256 + d
  const hex = parts.map((part) => `0x${part.toString(16)}`)
  const octal = parts.map((part) => `0${part.toString(8)}`)
  const pair = (x: number, y: number) => ((x << 8) | y).toString(16)
  return [
    dotted,
    String(whole),
    `0x${whole.toString(16)}`,
    `0X${whole.toString(16).toUpperCase()}`,
    `0${whole.toString(8)}`,
    hex.join('.'),
    octal.join('.'),
    parts.map((part) => `000000${part.toString(8)}`).join('.'),
    `${hex[0]}.${b}.${octal[2]}.${d}`,
    `${a}.${(b << 16) | (c << 8) | d}`,
    `${a}.${b}.${(c << 8) | d}`,
    `${dotted}.`,
    dotted.replaceAll('.', '。'),
    dotted.replaceAll('.', '．'),
    dotted.replaceAll('.', '｡'),
    dotted.replaceAll('.', '%2e'),
    digits(dotted, 0xff10),
    digits(dotted, 0x1d7ce),
    dotted.replaceAll(/\d/g, (digit) => `%3${digit}`),
    `[::ffff:${dotted}]`,
    `[::${dotted}]`,
    `[::ffff:${pair(a, b)}:${pair(c, d)}]`,
    `[64:ff9b::${dotted}]`,
    `[2002:${pair(a, b)}:${pair(c, d)}::]`,
  ]
}

/** URLs around a host that parsers interpret differently. */
const wrapped = (host: string): string[] => [
  `http://${host}:{port}/`,
  `https://ana@${host}:{port}/`,
  `https://example.com:443@${host}:{port}/`,
  `https://example.com%40${host}:{port}/`,
  `https:${host}:{port}`,
  `https:/${host}:{port}/`,
  `https:///${host}:{port}/`,
  `https:\\\\${host}:{port}\\`,
  `https://${host}:{port}\\@example.com/`,
  `https://${host}:{port}#@example.com/`,
  `https://${host}:{port}?@example.com/`,
  `https://${host}:{port}/../..//`,
  ` https://${host}:{port}/`,
  `https://${host}:{port}/\t`,
  `ht\ttps://${host}:{port}/`,
  `https://\t${host}:{port}/`,
  `https://\n${host}:{port}/`,
  `https://${host.slice(0, 3)}\r\n${host.slice(3)}:{port}/`,
  `https://${host}\u0000:{port}/`,
  `https://${host}:{port}\u0000/`,
  `https://${host}:0{port}/`,
  `https://${host}:{port} /`,
  `//${host}:{port}/`,
  `HTTPS://${host}:{port}/`,
  `https://${host}:{port}/${'x'.repeat(1900)}`,
]

const OTHER = [
  ...[
    'ftp',
    'file',
    'gopher',
    'dict',
    'ldap',
    'ws',
    'wss',
    'tftp',
    'jar:http',
    'view-source:http',
    'blob:http',
    'data',
    'javascript',
    'unix',
  ].map((scheme) => `${scheme}://127.0.0.1:{port}/`),
  // A public address, on a port that no public service of that kind uses.
  ...['22', '25', '3000', '5432', '6379', '8443', '65535'].map((port) => `https://93.184.215.14:${port}/`),
  'https://127.0.0.1:99999/',
  'https://127.0.0.1:-1/',
  'https://127.0.0.1:{port}:80/',
  '',
  ' ',
  'https://',
  'https:',
  '/',
  '?',
  '#',
]

const hostIn = (text: string): string | null => {
  if (!URL.canParse(text.replaceAll('{port}', '1'))) return null
  return new URL(text.replaceAll('{port}', '1')).hostname.replace(/^\[|\]$/g, '')
}

/** All spellings without duplicates. None leads to an allowed address. */
export const SPELLINGS: readonly Spelling[] = [
  ...new Set([
    ...FOUR.flatMap(notations).map((host) => `https://${host}:{port}/`),
    ...SIX.map((host) => `https://[${host}]:{port}/`),
    ...NAMES.map((host) => `https://${host}:{port}/`),
    ...['127.0.0.1', '[::1]', 'localhost', '169.254.169.254'].flatMap(wrapped),
    ...OTHER,
  ]),
].map((text) => ({ text, host: hostIn(text) }))

export const at = ({ text }: Spelling, port: number): string => text.replaceAll('{port}', String(port))

/** The host is a literal address, so it can be checked without DNS. */
export const isNumber = ({ host }: Spelling): boolean => host !== null && isIP(host) !== 0

/** It reaches this machine if the client does not check addresses. */
export const leadsHere = ({ text, host }: Spelling): boolean =>
  /^\s*h\s*t\s*t\s*p/i.test(text) &&
  host !== null &&
  (/^127\.|^0\.0\.0\.0$|^localhost\.?$/.test(host) || ['::', '::1', '::ffff:7f00:1', '::ffff:7f00:2'].includes(host))
