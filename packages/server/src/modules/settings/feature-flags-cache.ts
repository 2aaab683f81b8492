import type { Feature } from '@lyceum/contract'
import type { Services } from '../../core/context.ts'
import type { SettingValue } from './definitions.ts'
import { readSetting } from './repository.ts'

/** Whether a feature is on, cached until the setting changes. `since`: the cache revision of the request. */
export const isFeatureOn = async ({ database, caches }: Services, feature: Feature, since: number): Promise<boolean> => {
  const kept = caches.of<SettingValue<'features'>>('features', 1)
  const known = kept.get('', since)
  if (known) return known[feature]
  const features = await readSetting(database.read, 'features')
  kept.set('', features, ['setting:features'], since)
  return features[feature]
}
