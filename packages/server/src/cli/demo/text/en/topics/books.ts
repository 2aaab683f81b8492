import type { Topic } from '../../types.ts'
import { lines, words } from '../../words.ts'

export const books: Topic = {
  key: 'books',
  language: 'en',
  lists: {
    field: ['reading'],
    thing:
      words(`long novels, short stories, re-reading, poetry in translation, audiobooks, crime fiction, unreliable narrators, Victorian doorstoppers, non-fiction, science fiction,
      diaries and letters, fantasy series, graphic novels, nature writing, library cards, opening sentences, sad endings, books about the sea`),
    book: words(`Middlemarch, Moby-Dick, Jane Eyre, The Moonstone, Frankenstein, Persuasion, The Awakening, Dracula, Bleak House, Ethan Frome, The Time Machine, Three Men in a Boat,
      The Age of Innocence, Anna Karenina, Walden, North and South, The Woman in White, My Ántonia, Lord Jim, A Room with a View`),
    gear: words(
      `reading lamp, e-reader, bookmark, book stand, notebook, magnifying glass, book trolley, reading chair, clip-on light, card index, tote bag`,
    ),
    problem:
      words(`a reading slump, the pile next to the bed, a slow middle, spoilers, too many characters, bad translations, falling asleep after two pages, a disappointing ending,
      small print, guilt about unfinished books, book club no-shows, a dull narrator`),
    doing:
      words(`reading before breakfast, keeping a reading diary, reading aloud, swapping books with neighbours, listening while cooking, re-reading old favourites, giving up on page fifty,
      reading two books at once, underlining in pencil, going through one author’s work`),
    did: words(`finished the doorstopper, gave up on a classic at page 412, read a whole book in one sitting, got through my pile, started a book club at work, read aloud to my father,
      re-read a childhood favourite, bought eleven books at the library sale, finished fifty books this year, sorted the shelves by colour and regretted it, wrote to an author and got an answer`),
    where: words(
      `on the commute, in bed, with small children, in a second language, in a noisy flat, at the library, on holiday, in a waiting room, by the sea, with ten minutes a day`,
    ),
    goal: words(`get out of a reading slump, remember what I have read, read more poetry, find time for long books, choose a book for a mixed group, read in a foreign language, give up on a book without guilt,
      run a book club, get my teenager to read, read the classics without yawning, keep track of characters, stop buying faster than I read`),
  },
  cases: [
    {
      titles: lines(`
        Stuck on page {k=40-300} of {book}
        {Book}: does it get better after page {k=40-300}?
        Should I finish {book}?`),
      story: lines(`
        I want to like {book}, I really do. I am on page {k=40-300}, it has been {span}, and each evening I read [two pages|the same paragraph] and fall asleep.
        Everyone loves {book}. I am at page {k=40-300} and could not tell you [who is who|why I should care]. The language is beautiful, that is not it.`),
      ask: lines(`
        Does it pick up?
        Push through, pause or give up?`),
      answers: lines(`
        It picks up around two thirds. Whether that is a recommendation, you decide.
        Try it as an audiobook for fifty pages. {Book} was written to be read aloud.
        Put it away without guilt. I needed three attempts and {span*} in between. The third time I could not stop.
        Write the names on a bookmark. Half of my trouble with {book} was cousins.
        Page {k=40-300} is enough, life is short.
        I would skip the [digressions|letters|sermons] on the first reading. Nobody checks.`),
    },
    {
      titles: lines(`
        Next book for our group of {k=5-14}?
        Book club pick: something under {k2=180-350} pages
        Suggestions for a group that liked {book}`),
      story: lines(`
        Our group of {k=5-14} has just finished {book}, and for once everybody liked it. Now we need the next one: under {k2=180-350} pages, easy to get, and worth arguing about.
        I am to suggest three titles on {day*}. {k=5-14} people aged {25-40} to {60-79}, no horror, under {k2=180-350} pages. The last pick was {book2}, a mixed success.`),
      ask: lines(`
        What gave your group the best discussion?
        Which one would you rather warn us about?`),
      answers: lines(`
        Something with an ending that splits the table. {Book2} did that for us.
        Short stories: everyone reads two, and nobody has an excuse.
        {Book*}. We talked for three hours, mostly about whether she was right.
        Let each bring one title and draw lots. Fewer hurt feelings.
        Non-fiction for a change? Best evening we ever had.
        Not {book*}. Eleven people, eleven polite silences.`),
    },
    {
      titles: lines(`
        Which translation of [Anna Karenina|Don Quixote|the Odyssey|Madame Bovary|The Idiot]?
        Translations: does it really matter?
        Old or new translation?`),
      story: lines(`
        I would like to read a Russian or French classic in translation, and there are {k=3-8} of them in the shop. [The cheap one is from 1912.|The newest costs three times as much.]
        Half of our group read one translation and half another, and it was as if we had read two books. Same plot, other people.`),
      ask: lines(`
        How do you choose?
        Faithful or readable?`),
      answers: lines(`
        Read the first page of each in the shop. Your ear decides within a minute.
        Readable. I am not marking it, I am reading it.
        The old ones are sometimes closer in tone, because the language is of the same age.
        Look for one with notes by the translator. The ones who explain what they lost can be trusted.
        I read two of the {k=3-8} side by side once. Never again, but I learnt a lot.`),
    },
    {
      titles: lines(`
        Have not finished a book in {span}
        Reading slump – how did you get out?
        From {k=20-60} books a year to none`),
      story: lines(`
        I used to read {k=20-60} books a year. Since [the baby|the new job|I got a better phone] I start, look up after two pages and [scroll|fall asleep].
        {Span} without finishing a single book, and a pile of {8-40} next to the bed that looks at me.`),
      ask: lines(`
        What brought you back?
        Any book that works like a crowbar?`),
      answers: lines(`
        Re-read something you loved at fifteen. It is like getting on an old bike.
        The phone sleeps in the kitchen. That is all, that is the trick.
        A thriller, and no shame. It is a muscle.
        Ten pages a day, not a chapter. After a week you forget to stop.
        Poems! One a day, and you have finished something.
        Audiobooks on walks got me from zero to {k=20-60} again.`),
    },
  ],
  shows: lines(`
    {320-980} pages, {4-60} days, and I am a little lost now that it is over.
    I read the last chapter on a bench in the drizzle because I could not wait until I was home.
    My copy was my grandmother’s, with her notes in pencil. We disagree on nearly everyone.
    It took until page {60-140}, and then I cancelled an evening for it.
    {Book*} has been on my list for {span*}. What a fool I was to wait.
    Four stars, and the missing one is for the ending.
    There were {6-14} of us, one had read it twice, one had seen the film.
    I cried on the tram. A stranger looked at the cover and nodded.`),
  details: lines(`
    The narrator is not to be trusted, and neither am I when I say I saw it coming.
    I alternated between the book and the audiobook, which worked surprisingly well.
    There is a map in the back. I found it on the last day.
    The prose is so dry that you miss the jokes the first time.
    It is really about money, as so many of them are.
    The first sentence alone is worth the price.
    I marked {6-30} passages and can find none of them again.
    The middle part is long. Stay with it.`),
  tips: lines(`
    Keep a list of the books you gave up on, and why.
    Write one sentence when you finish, it is enough to remember.
    Read the introduction last.
    Carry a paperback, you will use the waiting.
    Give a book fifty pages, minus your age if you are over fifty.
    Put the phone in another room.
    Borrow before you buy.
    Have one book for the day and one for the night.
    Ask a librarian, they love it.
    Read the translator’s name as you read the author’s.
    Start with the short works of the long-winded.
    Never lend a book you cannot do without.
    Let the quietest person in the group speak first.`),
  opinions: lines(`
    Reading goals turn a pleasure into an office.
    Audiobooks count. Of course they count.
    Most five-hundred-page novels are three-hundred-page novels with an afraid editor.
    Classics are far funnier than school told us.
    Breaking the spine is fine; books are for using.
    A good villain needs better arguments than the hero.
    I do not need to like the characters. I need to believe them.
    Star ratings are useless, tell me where you were when you read it.
    Historical novels say more about the year they were written in.
    The film is sometimes better, and we should be able to say so.`),
  replies: lines(`
    {Book*} did the same to me.
    Which edition do you have? Mine has tiny print.
    No spoilers, please, I am at page {40-380}!
    On my list now. The list says thank you and groans.
    I gave up on that one. You make me want to try again.
    The ending! Can we talk about the ending?
    Is it very sad? I cannot do sad at the moment.
    Did you read it in the original?
    If you liked that, try {book*}.
    My book club hated it, which is a recommendation.
    I always thought she was the villain of the story.
    The audiobook is wonderful, by the way.`),
  polls: [
    {
      question: 'What makes you put a book down for good?',
      options: ['Flat characters', 'Bad prose', 'Nothing happens', 'Too much happens', 'I always finish'],
    },
    {
      question: 'Where do you read most?',
      options: ['In bed', 'On the train', 'On the sofa', 'In the bath', 'While walking, with headphones'],
    },
    {
      question: 'Our next theme?',
      options: ['Islands', 'Letters and diaries', 'Houses with secrets', 'First novels', 'Something under 150 pages'],
    },
    { question: 'Do you write in your books?', options: ['In pen, like a savage', 'In pencil', 'Sticky notes', 'Never!'] },
  ],
  resources: [
    ['In defence of the slow middle', 'an essay on why long books need room'],
    ['What translators see', 'five of them on one and the same paragraph'],
    ['A reader’s year in lists', 'more moving than it sounds'],
    ['The lending library of a lighthouse', 'a true story with a catalogue'],
    ['How book clubs argue', 'a sociologist sat in on thirty of them'],
    ['First lines, last lines', 'a quiz, then an argument'],
    ['Reading aloud to grown-ups', 'how to do it and why'],
    ['Marginalia', 'what people wrote into library books over a century'],
  ],
}
