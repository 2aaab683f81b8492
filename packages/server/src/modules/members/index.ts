export { mentionedUsers, renderMessage } from './mentions.ts'
