import { UnreadableSource } from '../../source.ts'
import type { Staging } from '../../staging/staging.ts'
import { type CategoryAnswer, type CategoryDetails, itemsOf, type SiteAnswer } from './answers.ts'
import type { SiteApi } from './site-api.ts'
import { stageGroups, stagePeople } from './stage-people.ts'
import { type Crawl, stageTopic, topicIds } from './stage-topics.ts'
import { createStager, type Stager } from './stager.ts'

/** Copies the permissions of a restricted category. Only administrators can read them. */
const stagePermissions = async (api: SiteApi, stager: Stager, category: number, groups: ReadonlyMap<string, number>) => {
  const details = await api.get<CategoryDetails>(`/c/${category}/show.json`)
  for (const { group_id, group_name = '', permission_type } of itemsOf(details?.category?.group_permissions)) {
    const id = group_id ?? groups.get(group_name)
    if (id !== undefined) stager.add('category_groups', { id: stager.nextId(), category_id: category, group_id: id, permission_type })
  }
}

const stageCategory = async (api: SiteApi, stager: Stager, category: CategoryAnswer, groups: ReadonlyMap<string, number>) => {
  const topic = Number(/\/t\/(?:[^/]+\/)?(\d+)$/.exec(category.topic_url ?? '')?.[1] ?? Number.NaN)
  // Visitors only see unrestricted categories.
  const isClosed = category.read_restricted ?? api.isAdministrator
  const [logo, background] = [category.uploaded_logo?.url, category.uploaded_background?.url]
  stager.add('categories', {
    ...category,
    read_restricted: isClosed,
    topic_id: Number.isFinite(topic) ? topic : null,
    uploaded_logo_id: logo ? stager.picture(logo) : null,
    uploaded_background_id: background ? stager.picture(background) : null,
  })
  if (isClosed) await stagePermissions(api, stager, category.id, groups)
}

/** Copies everything that the account can see to the tables of a dump. @throws UnreadableSource if nothing is visible */
export const stageSite = async (staging: Staging, api: SiteApi): Promise<void> => {
  const site = await api.get<SiteAnswer>('/site.json')
  const categories = itemsOf(site?.categories)
  if (categories.length === 0)
    throw new UnreadableSource(
      `${api.origin}${api.base} shows nothing to visitors, or is not a Discourse community. Use the username and an API key of an administrator.`,
    )
  const stager = createStager(staging)
  const crawl: Crawl = { api, stager, seen: new Map(), tags: new Map() }
  const groups = await stageGroups(api, stager)
  for (const category of categories) await stageCategory(api, stager, category, groups)
  const staged = new Set<number>()
  const lists = [...categories.map(({ slug, id }) => `/c/${encodeURIComponent(slug || '-')}/${id}/l/latest.json`), '/latest.json']
  for (const list of lists)
    for await (const topic of topicIds(crawl, list)) {
      if (staged.has(topic)) continue
      staged.add(topic)
      await stageTopic(crawl, topic)
    }
  await stagePeople(api, stager, crawl.seen)
}
