import { type Channel, type Received, textOf } from './received.ts'
import { HOLDERS, type Holder } from './stage.ts'
import { MARK, type Taken } from './writes.ts'

/** Which actor can send text to which clients, and through which operation. */
export type Reach = Readonly<Partial<Record<Holder, Readonly<Record<string, readonly Channel[]>>>>>

/**
 * The channels through which each actor can make text appear in other people's clients, listed for the weakest permitted actor. For
 * responses only the widest audience is listed: guests, otherwise members, otherwise staff. An operation not listed reaches nobody else.
 */
export const REACH: Reach = {
  member: {
    'auth.register': ['mail', 'webhook', 'members'],
    'comments.create': ['mail', 'push', 'webhook', 'members'],
    'feeds.create': ['mail', 'stream', 'webhook', 'members'],
    'moderation.report': ['webhook', 'staff'],
    'profiles.update': ['mail', 'push', 'stream', 'webhook', 'members'],
  },
  author: {
    'comments.update': ['mail', 'push', 'webhook', 'members'],
    'feeds.update': ['mail', 'webhook', 'members'],
  },
  'space admin': {
    'spaces.saveLinks': ['webhook', 'members'],
    'spaces.saveLockscreens': ['members'],
    'spaces.updateById': ['mail', 'stream', 'webhook', 'members'],
  },
  manage_feeds: {
    'feeds.update': ['mail', 'staff'],
  },
  manage_comments: {
    'comments.update': ['mail', 'staff'],
  },
  manage_spaces: {
    'adminCourses.saveLockscreens': ['members'],
    'adminLessons.create': ['staff'],
    'adminQuizzes.grade': ['staff'],
    'courseSections.create': ['members'],
    'courseSections.patch': ['members'],
    'courses.create': ['webhook'],
    'courses.update': ['mail', 'page', 'members'],
    'lessons.update': ['members'],
    'lessons.update quiz': ['staff'],
    'spaces.create': ['webhook', 'members'],
  },
  manage_members: {
    'registrations.reject': ['mail'],
  },
  resolve_reports: {
    'moderation.decideFeed': ['mail', 'stream', 'members'],
    'moderation.update': ['staff'],
  },
  manage_settings: {
    'migrations.saveConfig': ['staff'],
    'settings.save': ['guests'],
    'settingsPages.saveAuth': ['guests'],
    'settingsPages.saveBanner': ['guests'],
    'settingsPages.saveColors': ['guests'],
    'settingsPages.saveEmail': ['mail', 'staff'],
    'settingsPages.saveGeneral': ['mail', 'page', 'guests'],
    'settingsPages.saveMailTexts': ['mail', 'staff'],
    'settingsPages.saveMenu': ['guests'],
    'settingsPages.saveSnippets': ['guests'],
  },
  manage_webhooks: {
    'webhooks.create': ['staff'],
    'webhooks.update': ['staff'],
  },
  administrator: {
    'adminTopics.create': ['members'],
    'adminTopics.update': ['members'],
    'links.save': ['staff'],
    'members.update': ['stream', 'webhook', 'members'],
    'moderation.saveConfig': ['staff'],
    'topics.create': ['members'],
  },
}

const AUDIENCES: readonly Channel[] = ['guests', 'members', 'staff']

/** Channels that the text of other actors may also reach. */
const ALSO: Readonly<Record<string, readonly Channel[]>> = {
  'profiles.update': ['page'],
  'courses.update': ['webhook'],
  'lessons.update': ['webhook'],
}

/** The widest audience of responses stands for the narrower ones. */
const widest = (channels: ReadonlySet<Channel>): Channel[] => {
  const audience = AUDIENCES.find((one) => channels.has(one))
  const others = [...channels].filter((one) => !AUDIENCES.includes(one))
  return [...others.sort(), ...(audience ? [audience] : [])]
}

/** Where marks of accepted texts were found. */
export const reachOf = (taken: ReadonlyMap<string, Taken>, received: readonly Received[]): Reach => {
  const met = new Map<string, Set<Channel>>()
  for (const one of received) {
    for (const [mark] of textOf(one).matchAll(MARK)) {
      const found = taken.get(mark)
      if (!found) continue
      const key = `${found.holder}|${found.operation}`
      met.set(key, (met.get(key) ?? new Set()).add(one.channel))
    }
  }
  const reach: Partial<Record<Holder, Record<string, Channel[]>>> = {}
  for (const holder of HOLDERS) {
    const own = [...met].filter(([key]) => key.startsWith(`${holder}|`)).map(([key, set]) => [key.split('|')[1], widest(set)] as const)
    if (own.length > 0) reach[holder] = Object.fromEntries(own.sort(([a = ''], [b = '']) => (a < b ? -1 : 1)))
  }
  return reach
}

/** Whether an operation reaches others through channels besides responses. */
export const reachesOut = (operation: string): boolean =>
  Object.values(REACH).some((rows) => rows[operation]?.some((channel) => !AUDIENCES.includes(channel)))

/** The part of a table about outgoing messages. */
export const outgoingOf = (reach: Reach): Reach =>
  Object.fromEntries(
    Object.entries(reach).map(([holder, rows]) => {
      const outgoing = Object.entries(rows).map(([name, channels]) => [name, channels.filter((one) => !AUDIENCES.includes(one))] as const)
      return [holder, Object.fromEntries(outgoing.filter(([, channels]) => channels.length > 0))]
    }),
  )

/** Outgoing messages through a channel that no row of the operation lists. */
export const strayIn = (reach: Reach): string[] =>
  Object.entries(reach).flatMap(([holder, rows]) =>
    Object.entries(rows).flatMap(([operation, channels]) => {
      const known = [...Object.values(REACH).flatMap((of) => of[operation] ?? []), ...(ALSO[operation] ?? [])]
      const stray = channels.filter((channel) => !AUDIENCES.includes(channel) && !known.includes(channel))
      return stray.map((channel) => `${holder}: ${operation} → ${channel}`)
    }),
  )

/** Whether a row covers a channel; a wider audience covers a narrower one. */
const covers = (row: readonly Channel[], channel: Channel): boolean =>
  row.includes(channel) || (AUDIENCES.includes(channel) && row.some((one) => AUDIENCES.slice(0, AUDIENCES.indexOf(channel)).includes(one)))

/**
 * Differences from a table: channels it does not list, operations in it that reached nobody, and channels that carried nothing. Which of
 * several texts a grouped notification shows is not compared.
 */
export const differencesOf = (table: Reach, found: Reach): string[] => {
  const rowsOf = (reach: Reach) =>
    Object.entries(reach).flatMap(([holder, rows]) => Object.entries(rows).map(([name, channels]) => ({ holder, name, channels })))
  const rowIn = (reach: Reach, holder: string, name: string) => reach[holder as Holder]?.[name] ?? []
  const met = new Set(rowsOf(found).flatMap(({ channels }) => channels))
  return [
    ...rowsOf(found).flatMap(({ holder, name, channels }) =>
      channels.filter((one) => !covers(rowIn(table, holder, name), one)).map((one) => `${holder}: ${name} → ${one} is not in the table`),
    ),
    ...rowsOf(table).flatMap(({ holder, name }) => (rowIn(found, holder, name).length > 0 ? [] : [`${holder}: ${name} reached nobody`])),
    ...[...new Set(rowsOf(table).flatMap(({ channels }) => channels))]
      .filter((one) => !met.has(one))
      .map((one) => `nothing came by ${one}`),
  ]
}
