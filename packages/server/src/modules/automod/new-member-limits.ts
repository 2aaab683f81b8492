import { decodeBasic } from '../../content/html-allowlist.ts'
import { mentionedUsernames } from '../../content/mention-extract.ts'
import type { ContentType } from '../../content/render.ts'
import type { ReadRequest } from '../../core/context.ts'
import { HOUR_S } from '../../limits/budgets.ts'

/** A text with its HTML. */
export interface Written {
  readonly message: string
  readonly content_type: string
  readonly html: string
  /** The address of its link card. */
  readonly card?: string | undefined
}

const LINK = /<a (?:class="[^"]*" )?href="(https?:[^"]*)"/g

const mentionsIn = ({ message, content_type }: Written) => mentionedUsernames(message, content_type as ContentType)
/** A link and its card are one. */
const plain = (url: string) => (URL.canParse(url) ? new URL(url).href : url)
const linksIn = ({ html, card }: Written, origin: string) =>
  [...Array.from(html.matchAll(LINK), ([, url = '']) => decodeBasic(url)), ...(card ? [card] : [])].flatMap((url) =>
    url === origin || url.startsWith(`${origin}/`) ? [] : [plain(url)],
  )

const added = <T>(after: readonly T[], before: readonly T[]): number => {
  const known = new Set(before)
  return new Set(after.filter((item) => !known.has(item))).size
}

/**
 * Counts the mentions and links of a new member's text against the smaller budgets of new accounts; of a changed text those that were added.
 * @throws rate_limit_exceeded
 */
export const spendEarly = async ({ actor, services }: ReadRequest, after: Written, before?: Written): Promise<void> => {
  const { budgets, caches } = services
  if (!budgets.on || actor.role !== 'member') return
  const limits = await budgets.read(caches.now())
  if (!budgets.isNew(actor, limits)) return
  const origin = services.origin()
  const [mentions, links] = [
    added(mentionsIn(after), before ? mentionsIn(before) : []),
    added(linksIn(after, origin), before ? linksIn(before, origin) : []),
  ]
  await budgets.spendNew(actor.id, [
    { kind: 'new_member_mentions', key: actor.id, limit: limits.new_member_mentions_per_hour, windowS: HOUR_S, by: mentions },
    { kind: 'new_member_links', key: actor.id, limit: limits.new_member_links_per_hour, windowS: HOUR_S, by: links },
  ])
}
