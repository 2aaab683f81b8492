import { type Answers, createClient, type Inputs } from '@lyceum/sdk'
import { apiRoot, currentNonce, withNonceRenewal } from './client.ts'

export type Upload = Answers['media']['upload']['data']

/** Sends the request with XMLHttpRequest, because `fetch` does not report upload progress. */
const sendTelling = (onProgress: (share: number) => void): typeof fetch =>
  ((url: string, init: RequestInit = {}) =>
    new Promise<Response>((resolve, reject) => {
      const request = new XMLHttpRequest()
      request.open(init.method ?? 'GET', url)
      for (const [name, value] of Object.entries((init.headers ?? {}) as Record<string, string>)) request.setRequestHeader(name, value)
      request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0)
      request.onload = () => {
        const id = request.getResponseHeader('x-request-id')
        resolve(new Response(request.responseText, { status: request.status, headers: id ? { 'x-request-id': id } : {} }))
      }
      request.onerror = () => reject(new TypeError('the server could not be reached'))
      init.signal?.addEventListener('abort', () => {
        request.abort()
        reject(new DOMException('aborted', 'AbortError'))
      })
      request.send(init.body as FormData)
    })) as typeof fetch

/** An API client that reports the progress of its uploads from 0 to 1. */
export const clientWithProgress = (onProgress: (share: number) => void) =>
  createClient({ baseUrl: apiRoot, nonce: currentNonce, fetch: withNonceRenewal(sendTelling(onProgress)) })

/** Uploads a file and reports the progress from 0 to 1. */
export const upload = async (
  file: Blob,
  source: NonNullable<Inputs['media']['upload']['object_source']>,
  onProgress: (share: number) => void = () => {},
  signal?: AbortSignal,
): Promise<Upload> => (await clientWithProgress(onProgress).media.upload({ file, object_source: source }, signal ? { signal } : {})).data
