import { Readable } from 'node:stream'
import { createTarDecoder, type TarHeader } from 'modern-tar'

/** A file of an archive. An unread body is skipped. */
interface Entry extends TarHeader {
  readonly body: AsyncIterable<Uint8Array>
}

/** @throws Error if the archive is damaged or ends too early */
export async function* readTar(stream: Readable): AsyncGenerator<Entry> {
  for await (const { header, body } of Readable.toWeb(stream).pipeThrough(createTarDecoder({ strict: true }))) {
    yield { ...header, body }
    await body.cancel()
  }
}
