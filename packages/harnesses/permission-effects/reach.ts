import { type Channel, type Received, textOf } from './received.ts'
import { HOLDERS, type Holder } from './stage.ts'
import { MARK, type Taken } from './writes.ts'

/** By whom and with which operation words are brought to which clients. */
export type Reach = Readonly<Partial<Record<Holder, Readonly<Record<string, readonly Channel[]>>>>>

/**
 * What each may make the clients of others show, by the weakest who may. Of answers it is told how far they go: to guests, else to members, else
 * to those who run the community. An operation that is missing here shows nobody else anything.
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

/** Where words come to as well, by whom else they may be written. */
const ALSO: Readonly<Record<string, readonly Channel[]>> = {
  'profiles.update': ['page'],
  'courses.update': ['webhook'],
  'lessons.update': ['webhook'],
}

/** The widest of the audiences that read answers stands for all of them. */
const widest = (channels: ReadonlySet<Channel>): Channel[] => {
  const audience = AUDIENCES.find((one) => channels.has(one))
  const others = [...channels].filter((one) => !AUDIENCES.includes(one))
  return [...others.sort(), ...(audience ? [audience] : [])]
}

/** Where marks of what was taken were met. */
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

/** Whether an operation reaches others by more than the answers that they ask for. */
export const reachesOut = (operation: string): boolean =>
  Object.values(REACH).some((rows) => rows[operation]?.some((channel) => !AUDIENCES.includes(channel)))

/** The part of a table that is about what goes out by itself. */
export const outgoingOf = (reach: Reach): Reach =>
  Object.fromEntries(
    Object.entries(reach).map(([holder, rows]) => {
      const outgoing = Object.entries(rows).map(([name, channels]) => [name, channels.filter((one) => !AUDIENCES.includes(one))] as const)
      return [holder, Object.fromEntries(outgoing.filter(([, channels]) => channels.length > 0))]
    }),
  )

/** What goes out by another channel than the rows of the operation name, whoever acts. */
export const strayIn = (reach: Reach): string[] =>
  Object.entries(reach).flatMap(([holder, rows]) =>
    Object.entries(rows).flatMap(([operation, channels]) => {
      const known = [...Object.values(REACH).flatMap((of) => of[operation] ?? []), ...(ALSO[operation] ?? [])]
      const stray = channels.filter((channel) => !AUDIENCES.includes(channel) && !known.includes(channel))
      return stray.map((channel) => `${holder}: ${operation} → ${channel}`)
    }),
  )

/** Whether a row covers a channel; one that is shown to more people covers those who are fewer. */
const covers = (row: readonly Channel[], channel: Channel): boolean =>
  row.includes(channel) || (AUDIENCES.includes(channel) && row.some((one) => AUDIENCES.slice(0, AUDIENCES.indexOf(channel)).includes(one)))

/**
 * What was found otherwise than a table has it: a channel that it does not name, an operation of it that reached nobody, and a channel by which
 * nothing came. Which of several texts a gathered notification shows is not told.
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
