import { describeMatrix } from './part.ts'

describeMatrix('conversation')
