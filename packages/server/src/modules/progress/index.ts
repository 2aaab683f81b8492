export { eraseLearning } from './erase.ts'
