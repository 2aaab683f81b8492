import type { api } from '@lyceum/contract'
import type { Handlers } from '../../platform/http/handlers.ts'
import { profileAbilities, profileFor, renderMessage } from '../members/index.ts'
import { countWritings } from './queries.ts'
import { viewProfile } from './view.ts'

export const profileHandlers: Handlers<typeof api.profiles> = {
  get: async (ctx, { params }) => {
    const { db, actor, services } = ctx
    const row = await profileFor(ctx, params.username)
    const { seeEmail, seeSpaces, edit } = profileAbilities(actor, row)
    const rendered = await renderMessage(db, row.short_description, 'text')
    const writings = await countWritings(db, actor, row.id)
    return { profile: viewProfile(row, { ...writings, rendered, own: edit, seeEmail, seeSpaces, origin: services.origin() }) }
  },
}
