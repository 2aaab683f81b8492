import { describeMatrix } from './part.ts'

describeMatrix('learning')
