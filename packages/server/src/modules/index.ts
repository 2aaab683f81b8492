import type { Module } from '../platform/module.ts'

/** Every module, in the order in which their routes are mounted. A new resource is one line here. */
export const MODULES: readonly Module[] = []
