export { type Filled, fill, type Sizes } from './fill.ts'
