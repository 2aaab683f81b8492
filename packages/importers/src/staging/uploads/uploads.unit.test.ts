import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ZipFile } from 'yazl'
import { packTar, type TarMember } from '../../../test-support/pack-tar.ts'
import { UnreadableSource } from '../../source.ts'
import type { Uploads } from './model.ts'
import { openUploads } from './uploads.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'uploads-test-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const zipOf = async (files: Readonly<Record<string, string>>): Promise<Buffer> => {
  const zip = new ZipFile()
  for (const [path, text] of Object.entries(files)) zip.addBuffer(Buffer.from(text), path)
  zip.end()
  return Buffer.concat(await Array.fromAsync(zip.outputStream as AsyncIterable<Buffer>))
}

const textOf = async (uploads: Uploads, path: string): Promise<string | null> => {
  const stream = await uploads.open(path)
  return stream && Buffer.concat(await Array.fromAsync(stream as AsyncIterable<Buffer>)).toString()
}

const FILES = { '2024/05/Käse.png': 'cheese', '2024/05/with space%20.jpg': 'space', 'empty.txt': '' }
/** macOS stores names decomposed. */
const NFD = 'a/Über.gif'.normalize('NFD')

const places = {
  folder: async () => {
    for (const [path, text] of Object.entries({ ...FILES, [NFD]: 'over' })) {
      const file = join(folder, 'wp-content/uploads', path)
      mkdirSync(join(file, '..'), { recursive: true })
      writeFileSync(file, text)
    }
    symlinkSync('/etc', join(folder, 'wp-content/uploads/etc'))
    symlinkSync('/etc/passwd', join(folder, 'wp-content/uploads/passwd'))
    return folder
  },
  'tar.gz': async () => {
    const entries: TarMember[] = Object.entries({ ...FILES, [NFD]: 'over' }).map(([path, text]) => ({
      name: `./uploads/${path}`,
      body: text,
    }))
    entries.push({ name: 'uploads/passwd', type: 'symlink', linkname: '/etc/passwd' })
    entries.push({ name: '../../etc/passwd', type: 'file', body: 'evil' })
    const file = join(folder, 'uploads.tar.gz')
    writeFileSync(file, gzipSync(packTar(entries)))
    return file
  },
  zip: async () => {
    const file = join(folder, 'uploads.zip')
    writeFileSync(
      file,
      await zipOf(Object.fromEntries(Object.entries({ ...FILES, [NFD]: 'over' }).map(([path, text]) => [`site/uploads/${path}`, text]))),
    )
    return file
  },
}

describe.each(Object.entries(places))('a %s', (_, place) => {
  test('has the files below its uploads, whatever the case and composition of their names', async () => {
    const uploads = await openUploads(await place(), { directory: folder })
    try {
      expect(await textOf(uploads, '2024/05/Käse.png')).toBe('cheese')
      expect(await textOf(uploads, '/2024/05/KÄSE.PNG'.normalize('NFD'))).toBe('cheese')
      expect(await textOf(uploads, 'a/%C3%9Cber.gif')).toBe('over')
      expect(await textOf(uploads, '2024/05/with space%20.jpg')).toBe('space')
      expect(await textOf(uploads, '2024/05/with%20space%2520.jpg')).toBe('space')
      expect(await textOf(uploads, 'empty.txt')).toBe('')
      expect(await textOf(uploads, '2024/05')).toBe(null)
      expect(await textOf(uploads, 'none.png')).toBe(null)
    } finally {
      await uploads.close()
    }
  })

  test('lists a folder and its folders, without links', async () => {
    const uploads = await openUploads(await place(), { directory: folder })
    try {
      const listed = async (path: string) => (await Array.fromAsync(uploads.list(path))).map((found) => found.normalize('NFC')).sort()
      expect(await listed('2024')).toEqual(['2024/05/Käse.png', '2024/05/with space%20.jpg'])
      expect(await listed('a/')).toEqual(['a/Über.gif'])
      for (const path of ['none', 'empty.txt', '..', 'etc', '2', '']) expect(await listed(path)).toEqual([])
    } finally {
      await uploads.close()
    }
  })

  test('refuses paths that lead out of it, and links', async () => {
    const uploads = await openUploads(await place(), { directory: folder })
    try {
      for (const path of [
        '../../../etc/passwd',
        '2024/../../../../etc/passwd',
        '%2e%2e/x',
        'etc/passwd',
        'passwd',
        '/etc/passwd',
        'a\0b',
        '',
      ])
        expect(await textOf(uploads, path)).toBe(null)
    } finally {
      await uploads.close()
    }
  })
})

test('temporary files are deleted', async () => {
  const uploads = await openUploads(await places['tar.gz'](), { directory: folder })
  await uploads.close()
  expect(readdirSync(folder)).toEqual(['uploads.tar.gz'])
})

test('bombs, damaged files and missing places are refused', async () => {
  const file = join(folder, 'bomb.tar.gz')
  const name = packTar([{ name: 'big' }])
  name.set(Buffer.from('00700000000'), 124)
  let sum = 0
  for (let at = 0; at < 512; at++) sum += at >= 148 && at < 156 ? 0x20 : (name[at] as number)
  name.set(Buffer.from(`${sum.toString(8).padStart(6, '0')}\0 `), 148)
  writeFileSync(file, gzipSync(Buffer.concat([name.subarray(0, 512), Buffer.alloc(66 * 1024 * 1024)]), { level: 9 }))
  await expect(openUploads(file, { directory: folder })).rejects.toThrow(/times its size/)
  writeFileSync(file, gzipSync(Buffer.alloc(4096, 1)).subarray(0, 20))
  await expect(openUploads(file, { directory: folder })).rejects.toThrow(UnreadableSource)
  await expect(openUploads(join(folder, 'nothing'))).rejects.toThrow(/no such file/)
})

describe('a site', () => {
  let server: Server
  let site: string
  const asked: string[] = []
  beforeEach(async () => {
    asked.length = 0
    server = createServer((request, response) => {
      asked.push(request.url as string)
      if (request.url === '/wp-content/uploads/2024/K%C3%A4se.png') response.end('cheese')
      else if (request.url === '/wp-content/uploads/moved.png')
        response.writeHead(301, { location: '/wp-content/uploads/2024/K%C3%A4se.png' }).end()
      else if (request.url === '/wp-content/uploads/loop.png') response.writeHead(302, { location: '/wp-content/uploads/loop.png' }).end()
      else if (request.url === '/wp-content/uploads/huge.png') response.writeHead(200, { 'content-length': 2 ** 40 }).write('x')
      else response.writeHead(404).end()
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterEach(() => {
    server.closeAllConnections()
    server.close()
  })

  test('has its files, follows a few redirects, and refuses what is too large', async () => {
    const uploads = await openUploads(site)
    expect(await textOf(uploads, '2024/Käse.png')).toBe('cheese')
    expect(await textOf(uploads, 'moved.png')).toBe('cheese')
    expect(await textOf(uploads, 'none.png')).toBe(null)
    expect(await textOf(uploads, 'huge.png')).toBe(null)
    await expect(textOf(uploads, 'loop.png')).rejects.toThrow(/redirects too often/)
    expect(await textOf(uploads, '../../secret')).toBe(null)
    expect(await Array.fromAsync(uploads.list('2024'))).toEqual([])
    expect(asked.every((path) => path.startsWith('/wp-content/uploads/'))).toBe(true)
  })
})
