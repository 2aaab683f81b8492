import type { api } from '@lyceum/contract'
import { type Handlers, messageAfter } from '../../http/pipeline/route-handlers.ts'
import { courseFor } from './access.ts'
import { presentSection, presentSections, sectionIn } from './section-queries.ts'
import { createSection, removeSection, reorderSections, updateSection } from './sections.ts'

const update: Handlers<Pick<typeof api.courseSections, 'update'>>['update'] = async (ctx, { params, body }) => {
  const section = await updateSection(ctx, params.course_id, params.section_id, body)
  return { message: 'The section was updated.', data: await presentSection(ctx.db, section) }
}

export const courseSectionHandlers: Handlers<typeof api.courseSections> = {
  list: async (ctx, { params, query }) => {
    const { id } = await courseFor(ctx, params.course_id, 'manage')
    return { sections: await presentSections(ctx.db, id, query.only_published) }
  },
  byId: async (ctx, { params }) => {
    const { id } = await courseFor(ctx, params.course_id, 'manage')
    return { data: await presentSection(ctx.db, await sectionIn(ctx.db, id, params.section_id)) }
  },
  create: async (ctx, { params, body }) => {
    const section = await createSection(ctx, params.course_id, body)
    return { message: 'The section is created.', data: await presentSection(ctx.db, section) }
  },
  update,
  patch: update,
  remove: (ctx, { params }) => messageAfter(removeSection(ctx, params.course_id, params.section_id), 'The section was deleted.'),
  reorder: async (ctx, { params, body }) => {
    await reorderSections(ctx, params.course_id, body.indexes)
    return { message: 'The sections were reordered.', sections: await presentSections(ctx.db, params.course_id) }
  },
}
