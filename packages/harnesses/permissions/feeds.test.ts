import { describeMatrix } from './part.ts'

describeMatrix('feeds')
