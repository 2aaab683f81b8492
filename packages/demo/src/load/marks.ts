import type { Value } from '../../../server/src/db/index.ts'
import { BOOKMARK, REACTION, VOTE } from '../insert/marks.ts'
import { placeOf } from '../insert/placed.ts'
import { frameOf } from '../plan/write.ts'
import { surveyFor } from '../text.ts'
import type { Loading, Steps } from './scene.ts'

export async function* loadReactions({ load, plan, firsts, moment }: Loading): Steps {
  for (const list of plan.reactions) {
    await load.add(
      'reactions',
      REACTION,
      list.map(({ user, object_type, object, post, type, created_at }): Value[] => {
        const at = moment(created_at)
        const comment = object_type === 'comment' ? firsts.comments + object : null
        return [firsts.users + user, firsts.feeds + post, comment, type, at, at]
      }),
    )
    yield list.length
  }
}

export async function* loadBookmarks({ load, plan, firsts, moment }: Loading): Steps {
  for (const list of plan.bookmarks) {
    await load.add(
      'bookmarks',
      BOOKMARK,
      list.map(({ user, post, created_at }): Value[] => [firsts.users + user, firsts.feeds + post, moment(created_at)]),
    )
    yield list.length
  }
}

export async function* loadVotes({ load, plan, firsts, moment }: Loading): Steps {
  const { posts, seed } = plan.scene
  for (const list of plan.votes) {
    await load.add(
      'survey_votes',
      VOTE,
      list.flatMap(({ user, post, slots, options, created_at }) => {
        const several = surveyFor(posts.topic[post] as number, frameOf(seed, post)).allow_multiple
        const at = moment(created_at)
        // A single choice always uses slot 0; multiple choices use one slot per option.
        return options.map((option, i): Value[] => [
          firsts.feeds + post,
          firsts.users + user,
          several ? placeOf(slots, i) + 1 : 0,
          option,
          at,
        ])
      }),
    )
    yield list.length
  }
}
