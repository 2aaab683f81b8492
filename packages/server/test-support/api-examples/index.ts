import type { Examples } from '@lyceum/contract/openapi'
import { account } from './account.ts'
import { activities } from './activities.ts'
import { analytics } from './analytics.ts'
import { batch } from './batch.ts'
import { bookmarks } from './bookmarks.ts'
import { comments } from './comments.ts'
import { courses } from './courses.ts'
import { edits } from './edits.ts'
import { feeds } from './feeds.ts'
import { followers } from './followers.ts'
import { gif } from './gif.ts'
import { leaderboard } from './leaderboard.ts'
import { lessons } from './lessons.ts'
import { links } from './links.ts'
import { managers } from './managers.ts'
import { media } from './media.ts'
import { members } from './members.ts'
import { migrations } from './migrations.ts'
import { moderation } from './moderation.ts'
import { notifications } from './notifications.ts'
import { patches } from './patches.ts'
import { privacy } from './privacy.ts'
import { profiles } from './profiles.ts'
import { progress } from './progress.ts'
import { push } from './push.ts'
import { quizzes } from './quizzes.ts'
import { reactions } from './reactions.ts'
import type { Cast, Scene } from './scene.ts'
import { scheduledPosts } from './scheduled-posts.ts'
import { settings, settingsPages } from './settings.ts'
import { setUp } from './setup.ts'
import { spaceGroups } from './space-groups.ts'
import { spaceMembers } from './space-members.ts'
import { spaces } from './spaces.ts'
import { createStage, type Stage } from './stage.ts'
import { stream } from './stream.ts'
import { surveys } from './surveys.ts'
import { topics } from './topics.ts'
import { webhooks } from './webhooks.ts'

/** The scenes in order. Ids and times in the examples depend on it, so append new scenes at the end. */
const SCENES: readonly Scene[] = [
  settings,
  spaces,
  spaceGroups,
  spaceMembers,
  feeds,
  surveys,
  comments,
  reactions,
  bookmarks,
  links,
  activities,
  profiles,
  members,
  followers,
  scheduledPosts,
  account,
  topics,
  notifications,
  media,
  stream,
  push,
  courses,
  lessons,
  progress,
  quizzes,
  managers,
  analytics,
  webhooks,
  gif,
  moderation,
  settingsPages,
  leaderboard,
  privacy,
  edits,
  patches,
  migrations,
  batch,
]

export const playStory = async (stage: Stage): Promise<Cast> => {
  const cast: Cast = {
    ines: await setUp(stage),
    ben: await stage.person({ username: 'ben', displayName: 'Ben Okafor' }),
    mara: await stage.person({ username: 'mara', displayName: 'Mara Lindqvist' }),
    yuki: await stage.person({ username: 'yuki', displayName: 'Yuki Tanaka' }),
  }
  for (const scene of SCENES) {
    await scene(stage, cast)
    await stage.settle()
    stage.advance(1800)
  }
  return cast
}

/** Runs all scenes on a fresh server and returns the recorded examples. */
export const recordExamples = async (): Promise<Examples> => {
  const stage = await createStage()
  try {
    await playStory(stage)
    return stage.examples()
  } finally {
    await stage.close()
  }
}
