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
import { createRecorder, type Recorder } from './recorder.ts'
import type { Accounts, Recording } from './recording.ts'
import { scheduledPosts } from './scheduled-posts.ts'
import { settings, settingsPages } from './settings.ts'
import { setUp } from './setup.ts'
import { spaceGroups } from './space-groups.ts'
import { spaceMembers } from './space-members.ts'
import { spaces } from './spaces.ts'
import { stream } from './stream.ts'
import { surveys } from './surveys.ts'
import { topics } from './topics.ts'
import { webhooks } from './webhooks.ts'

/** The recordings in order. Ids and times in the examples depend on it, so append new recordings at the end. */
const RECORDINGS: readonly Recording[] = [
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

export const recordAll = async (recorder: Recorder): Promise<Accounts> => {
  const accounts: Accounts = {
    ines: await setUp(recorder),
    ben: await recorder.person({ username: 'ben', displayName: 'Ben Okafor' }),
    mara: await recorder.person({ username: 'mara', displayName: 'Mara Lindqvist' }),
    yuki: await recorder.person({ username: 'yuki', displayName: 'Yuki Tanaka' }),
  }
  for (const recording of RECORDINGS) {
    await recording(recorder, accounts)
    await recorder.runPendingJobs()
    recorder.advance(1800)
  }
  return accounts
}

/** Runs all recordings on a fresh server and returns the recorded examples. */
export const recordExamples = async (): Promise<Examples> => {
  const recorder = await createRecorder()
  try {
    await recordAll(recorder)
    return recorder.examples()
  } finally {
    await recorder.close()
  }
}
