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
import { imports } from './0024-imports.ts'
import { importRuns } from './0025-import-runs.ts'
import { recentChanges } from './0026-recent-changes.ts'
import { backups } from './0027-backups.ts'
import { languages } from './0028-languages.ts'
import { notificationAges } from './0029-notification-ages.ts'
import type { Migration, Up } from './dialect.ts'

const UPS: Readonly<Record<string, Up>> = {
  '0001-platform': platform,
  '0002-spaces': spaces,
  '0003-conversation': conversation,
  '0004-people': people,
  '0005-learning': learning,
  '0006-moderation': moderation,
  '0008-points': points,
  '0009-analytics': analytics,
  '0010-webhooks': webhooks,
  '0011-privacy': privacy,
  '0012-followed-changes': followedChanges,
  '0013-noted-kinds': notedKinds,
  '0014-change-log': changeLogOfPostgres,
  '0015-heavy-readers': heavyReaders,
  '0016-credentials': credentials,
  '0018-moderation-history': moderationHistory,
  '0020-former-names': formerNames,
  '0021-plain-names': plainNames,
  '0022-unfolded-points': unfoldedPoints,
  '0023-pending-events': pendingEvents,
  '0024-imports': imports,
  '0025-import-runs': importRuns,
  '0026-recent-changes': recentChanges,
  '0027-backups': backups,
  '0028-languages': languages,
  '0029-notification-ages': notificationAges,
}

/** Forward only: a released migration is never changed; the next one corrects its mistakes. */
export const MIGRATIONS: readonly Migration[] = Object.entries(UPS).map(([name, up]) => ({ name, up }))
