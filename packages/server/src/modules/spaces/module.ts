import { api } from '@lyceum/contract'
import type { Module } from '../../core/module.ts'
import { spaceGroupHandlers } from './group-routes.ts'
import { spaceMemberHandlers } from './member-routes.ts'
import { spaceHandlers } from './routes.ts'
import { topicHandlers } from './topic-routes.ts'

export const spaces: Module = {
  name: 'spaces',
  mount: (mount) => {
    mount('spaces', api.spaces, spaceHandlers)
    mount('spaceGroups', api.spaceGroups, spaceGroupHandlers)
    mount('spaceMembers', api.spaceMembers, spaceMemberHandlers)
    mount('topics', api.topics, topicHandlers)
  },
}
