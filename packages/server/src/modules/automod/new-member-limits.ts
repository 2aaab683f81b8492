import { decodeBasic } from '@lyceum/content'
import type { ReadRequest } from '../../core/context.ts'
import { HOUR_S } from '../../limits/budgets.ts'
import { mentionsIn } from '../members/index.ts'

export interface SubmittedText {
  readonly message: string
  readonly content_type: string
  readonly html: string
  readonly card?: string | undefined
}

const LINK = /<a (?:class="[^"]*" )?href="(https?:[^"]*)"/g

/** A link and its preview count as one. */
const normalizeUrl = (url: string) => (URL.canParse(url) ? new URL(url).href : url)
const linksIn = ({ html, card }: SubmittedText, origin: string) =>
  [...Array.from(html.matchAll(LINK), ([, url = '']) => decodeBasic(url)), ...(card ? [card] : [])].flatMap((url) =>
    url === origin || url.startsWith(`${origin}/`) ? [] : [normalizeUrl(url)],
  )

const countAdded = <T>(after: readonly T[], before: readonly T[]): number => {
  const known = new Set(before)
  return new Set(after.filter((item) => !known.has(item))).size
}

/**
 * Charges the mentions and links of a new member's text to the smaller budgets of new accounts; for an edit, only the added ones.
 * @throws rate_limit_exceeded
 */
export const spendNewMemberBudgets = async (ctx: ReadRequest, after: SubmittedText, before?: SubmittedText): Promise<void> => {
  const { actor, services, snapshot } = ctx
  const { budgets } = services
  if (!budgets.on || actor.role !== 'member') return
  const limits = await budgets.read(snapshot)
  if (!budgets.isNew(actor, limits)) return
  const origin = services.origin()
  const namesIn = ({ message, content_type }: SubmittedText) => mentionsIn(ctx, message, content_type)
  const [mentions, links] = [
    countAdded(await namesIn(after), before ? await namesIn(before) : []),
    countAdded(linksIn(after, origin), before ? linksIn(before, origin) : []),
  ]
  await budgets.spendNew(actor.id, [
    { kind: 'new_member_mentions', key: actor.id, limit: limits.new_member_mentions_per_hour, windowS: HOUR_S, by: mentions },
    { kind: 'new_member_links', key: actor.id, limit: limits.new_member_links_per_hour, windowS: HOUR_S, by: links },
  ])
}
