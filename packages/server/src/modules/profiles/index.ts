export { completeness, type Fillable } from './completeness.ts'
