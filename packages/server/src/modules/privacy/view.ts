import type { DataExport, Infer } from '@lyceum/contract'
import type { ExportRow } from './export-queries.ts'

/** The download URL; only the owner can use it. */
export const downloadUrl = ({ key, created_at }: Pick<ExportRow, 'key' | 'created_at'>, origin: string): string =>
  `${origin}/exports/${key}/lyceum-${created_at.slice(0, 10)}.zip`

/** Checks the expiry time itself, since the cleanup sets the status later. */
export const isReady = ({ status, expires_at }: Pick<ExportRow, 'status' | 'expires_at'>, now: string): boolean =>
  status === 'ready' && expires_at !== null && expires_at > now

export const viewExport = (row: ExportRow, origin: string, now: string): Infer<typeof DataExport> => {
  const { id, user_id, size, created_at, completed_at, expires_at } = row
  const ready = isReady(row, now)
  const status = row.status === 'ready' && !ready ? 'expired' : row.status
  return { id, user_id, status, size, created_at, completed_at, expires_at, download_url: ready ? downloadUrl(row, origin) : null }
}
