import { useRef, useState } from 'react'
import { errorMessage } from '../../../lib/optimistic.ts'
import { upload } from '../../../lib/upload.ts'
import { toast } from '../../../ui/toasts.tsx'
import type { Attachment } from './draft.ts'

export interface Sending {
  readonly key: number
  readonly name: string
  /** Upload progress from 0 to 1. */
  readonly share: number
  readonly stop: () => void
}

const MOST = 20

/** Attached images, short videos and audio files. They are uploaded as soon as they are selected. */
export const useAttachments = (
  source: 'feed' | 'comment',
  items: readonly Attachment[],
  set: (change: (items: readonly Attachment[]) => readonly Attachment[]) => void,
) => {
  const [sending, setSending] = useState<readonly Sending[]>([])
  const last = useRef(0)
  const send = async (file: File) => {
    const key = ++last.current
    const ending = new AbortController()
    setSending((before) => [...before, { key, name: file.name, share: 0, stop: () => ending.abort() }])
    const progress = (share: number) => setSending((before) => before.map((one) => (one.key === key ? { ...one, share } : one)))
    try {
      const { id, file_url, file_type, width, height } = await upload(file, source, progress, ending.signal)
      const item = { id, url: file_url, type: file_type, alt: '', at: Date.now(), ...(width && height && { width, height }) }
      set((before) => [...before, item])
    } catch (error) {
      if (!ending.signal.aborted) toast(`${file.name}: ${errorMessage(error)}`, 'failed')
    } finally {
      setSending((before) => before.filter((one) => one.key !== key))
    }
  }
  return {
    sending,
    add: (files: Iterable<File>) => {
      for (const file of [...files].slice(0, MOST - items.length - sending.length)) void send(file)
    },
    describe: (url: string, alt: string) => set((before) => before.map((item) => (item.url === url ? { ...item, alt } : item))),
    remove: (url: string) => set((before) => before.filter((item) => item.url !== url)),
  }
}

/** Media files of a paste or drop; empty for anything else, such as text. */
export const mediaFilesOf = (data: DataTransfer | null): readonly File[] =>
  [...(data?.files ?? [])].filter(({ type }) => /^(image|video|audio)\//.test(type))

/** Accepted file types. */
export const ACCEPTED =
  'image/jpeg,image/png,image/gif,image/webp,video/mp4,video/webm,audio/mpeg,audio/mp4,audio/x-m4a,audio/ogg,audio/wav,.mp3,.m4a,.ogg,.wav'
