export { runDemo } from './command.ts'
