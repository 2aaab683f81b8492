import { api } from '@lyceum/contract'
import type { Module } from '../../core/module.ts'
import { adminTopicHandlers } from './routes.ts'

/** Knows neither feeds nor spaces: they say where a topic is used. */
export const topics: Module = { name: 'topics', mount: (mount) => mount('adminTopics', api.adminTopics, adminTopicHandlers) }
