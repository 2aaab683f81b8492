import { useQuery } from '@tanstack/react-query'
import { communityQuery } from '../../../lib/community.ts'
import { useMe } from '../../../lib/session.ts'
import { type Space, topicsQuery } from '../queries.ts'

/** Topics available in the target space, and how to select or remove one. */
export const useTopics = (space: Space | undefined, chosen: readonly number[], onChange: (chosen: readonly number[]) => void) => {
  const me = useMe()
  const community = useQuery(communityQuery)
  const found = useQuery({ ...topicsQuery(space?.slug), enabled: community.data?.features.topics ?? false })
  const moderates = me.permissions.length > 0 || (space?.permissions.can_approve ?? false)
  const config = found.data?.config
  const most = config?.allow_multiple ? config.max_topics_per_post : 1
  const choose = (id: number) => {
    if (!chosen.includes(id)) onChange(most === 1 ? [id] : [...chosen, id].slice(0, most))
  }
  return {
    most,
    offered: found.data?.topics.filter(({ admin_only, id }) => admin_only === 'no' || moderates || chosen.includes(id)) ?? [],
    choose,
    toggle: (id: number) => (chosen.includes(id) ? onChange(chosen.filter((other) => other !== id)) : choose(id)),
  }
}
