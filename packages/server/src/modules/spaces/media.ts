import type { WriteRequest } from '../../core/context.ts'
import { attachMedia } from '../media/index.ts'
import type { SpaceFor } from './access.ts'

type Holding = Pick<SpaceFor, 'id' | 'logo' | 'cover_photo' | 'description' | 'settings' | 'lockscreen'>

/** Ties the uploaded files that a space refers to anywhere to it, and lets go of the others. */
export const attachSpaceMedia = (ctx: WriteRequest, { id, logo, cover_photo, description, settings, lockscreen }: Holding): Promise<void> =>
  attachMedia(ctx, { source: 'space', objectId: id, urls: [logo, cover_photo, description, settings, lockscreen] })
