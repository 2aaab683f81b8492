import { TAR_END, tarHeader, tarPadding } from '../src/tar/index.ts'

const TYPES = {
  file: '0',
  link: '1',
  symlink: '2',
  'character-device': '3',
  'pax-header': 'x',
  'block-device': '4',
  directory: '5',
  fifo: '6',
}

export interface TarMember {
  readonly name: string
  readonly body?: string | Buffer
  readonly type?: keyof typeof TYPES
  /** The target of a link. */
  readonly linkname?: string
}

const headerOf = ({ name, body = '', type = 'file', linkname = '' }: TarMember): Buffer => {
  const header = tarHeader(name, Buffer.byteLength(body), 0)
  const last = header.subarray(header.length - 512)
  last.write(TYPES[type], 156)
  last.write(linkname, 157)
  last.write('        ', 148)
  const sum = last.reduce((so, byte) => so + byte, 0)
  last.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return header
}

/** A tar archive with members of any kind, whose names are written as they are. */
export const packTar = (members: readonly TarMember[]): Buffer =>
  Buffer.concat([
    ...members.flatMap((member) => {
      const content = Buffer.from(member.body ?? '')
      return [headerOf(member), content, tarPadding(content.length)]
    }),
    TAR_END,
  ])
