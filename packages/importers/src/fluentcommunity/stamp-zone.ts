import { UTC, type Zone, zoneOf } from '../site-time.ts'
import type { Staging } from '../staging/staging.ts'

const msOf = (time: string) => Date.parse(`${time.replace(' ', 'T')}Z`)
const QUARTER_MS = 900_000
const MOST_MS = 15 * 3_600_000

/**
 * The time zone of TIMESTAMP columns in a dump. FluentCommunity stores site time in all columns, but dumps convert TIMESTAMP to UTC from
 * the zone of the database server. Profiles store the last activity in columns of both types, so comparing the two reveals whether that zone
 * was UTC.
 */
export const stampZone = (staging: Staging, zone: Zone): Zone => {
  const found = new Map<number, number>()
  let [equal, utc, all] = [0, 0, 0]
  const rows = staging.rows<{ last_activity: string; updated_at: string }>(
    "select last_activity, updated_at from fcom_xprofile where last_activity > '1971' and updated_at > '1971' limit 5000",
  )
  for (const { last_activity, updated_at } of rows) {
    const difference = msOf(last_activity) - msOf(updated_at)
    if (Number.isNaN(difference) || Math.abs(difference) > MOST_MS || difference % QUARTER_MS !== 0) continue
    all++
    if (difference === 0) equal++
    else if (zone.toUtc(last_activity) === UTC.toUtc(updated_at)) utc++
    found.set(difference, (found.get(difference) ?? 0) + 1)
  }
  if (all < 3 || equal * 2 >= all) return zone
  // The server uses the time zone of the site, including daylight saving time.
  if (utc * 2 >= all) return UTC
  const [[shift, times] = [0, 0]] = [...found].sort((a, b) => b[1] - a[1])
  if (times * 2 < all) return zone
  const back = zoneOf(null, -shift / 3_600_000)
  return { toUtc: (time) => zone.toUtc(back.toUtc(time)) }
}
