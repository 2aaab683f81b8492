import type { WriteRequest } from '../../core/context.ts'
import { attachMedia } from '../media/index.ts'
import type { SpaceFor } from './access.ts'

type MediaOwner = Pick<SpaceFor, 'id' | 'logo' | 'cover_photo' | 'description' | 'settings' | 'lockscreen'>

/** Attaches the uploaded files that the space refers to, and detaches all others. */
export const attachSpaceMedia = (
  ctx: WriteRequest,
  { id, logo, cover_photo, description, settings, lockscreen }: MediaOwner,
): Promise<void> => attachMedia(ctx, { source: 'space', objectId: id, urls: [logo, cover_photo, description, settings, lockscreen] })
