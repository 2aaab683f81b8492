import { platform } from './0001-platform.ts'
import { spaces } from './0002-spaces.ts'
import { conversation } from './0003-conversation.ts'
import { people } from './0004-people.ts'
import { learning } from './0005-learning.ts'
import { moderation } from './0006-moderation.ts'
import { points } from './0008-points.ts'
import { analytics } from './0009-analytics.ts'
import { webhooks } from './0010-webhooks.ts'
import { privacy } from './0011-privacy.ts'
import { followedChanges } from './0012-followed-changes.ts'
import { notedKinds } from './0013-noted-kinds.ts'
import { changeLogOfPostgres } from './0014-change-log.ts'
import { heavyReaders } from './0015-heavy-readers.ts'
import { credentials } from './0016-credentials.ts'
import { moderationHistory } from './0018-moderation-history.ts'
import { formerNames } from './0020-former-names.ts'
import { plainNames } from './0021-plain-names.ts'
import { unfoldedPoints } from './0022-unfolded-points.ts'
import { pendingEvents } from './0023-pending-events.ts'
import type { Migration } from './dialect.ts'

/** Forward only: a released migration is never changed; the next one corrects its mistakes. */
export const MIGRATIONS: readonly Migration[] = [
  platform,
  spaces,
  conversation,
  people,
  learning,
  moderation,
  points,
  analytics,
  webhooks,
  privacy,
  followedChanges,
  notedKinds,
  changeLogOfPostgres,
  heavyReaders,
  credentials,
  moderationHistory,
  formerNames,
  plainNames,
  unfoldedPoints,
  pendingEvents,
]
