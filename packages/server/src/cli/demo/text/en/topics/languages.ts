import type { Topic } from '../../types.ts'
import { lines, words } from '../../words.ts'

export const languages: Topic = {
  key: 'languages',
  language: 'en',
  virtual: true,
  lists: {
    field: ['learning a language'],
    thing:
      words(`spaced repetition, tandem partners, verb tables, shadowing, graded readers, pronunciation, false friends, language exams, watching series, learning two languages at once,
      kanji, cases, small talk, dictations, minimal pairs, songs and lyrics, writing a diary, dialects`),
    tongue: words(
      `Spanish, Japanese, German, Portuguese, Arabic, Korean, Italian, Polish, Turkish, Finnish, Mandarin, Welsh, Greek, Dutch, Hindi, Swahili, Icelandic, French`,
    ),
    gear: words(
      `flashcard deck, grammar book, graded reader, tandem partner, frequency dictionary, notebook, podcast subscription, online tutor, wall chart, phrase book`,
    ),
    problem:
      words(`the intermediate plateau, speaking anxiety, forgetting everything on holiday, verb aspect, tones, people who answer in English, a streak that became a chore, gendered nouns, fast speakers,
      mixing up two languages, an accent I cannot shake, unread flashcards`),
    doing:
      words(`shadowing the news, writing five sentences a day, reading children’s books, talking to myself in the kitchen, changing the phone language, listening without subtitles, keeping a vocabulary book, meeting a tandem partner,
      reading aloud, singing along, translating menus, thinking in the language`),
    did: words(`ordered a whole meal without English, passed the B1 exam, read my first novel in the original, dreamt in another language, talked to my mother-in-law for an hour, understood a joke, gave a toast at a wedding,
      kept a diary for a hundred days, phoned the tax office, watched a film without subtitles, got mistaken for a local for nine seconds, wrote a letter by hand`),
    where: words(
      `on the train, with a full-time job, in a small town, at sixty, with no native speakers around, while cooking, in evening class, with twenty minutes a day, on holiday, in the country itself`,
    ),
    goal: words(
      `get from B1 to B2, remember words for longer, understand fast speech, speak without fear, learn a script, find a tandem partner, read newspapers, get the accent right, keep two languages apart, study with a full-time job, prepare for an exam, raise children with two languages`,
    ),
  },
  cases: [
    {
      titles: lines(`
        Stuck at B1 in {tongue}
        {Tongue}: the plateau after {k=2-8} years
        How did you get from B1 to B2 in {tongue}?`),
      story: lines(`
        {k=2-8} years of {tongue}, and I have been “B1” for {span}. I can talk about holidays and the weather, but as soon as two natives talk [to each other|at normal speed], I am out.
        My {tongue} is good enough to be polite in and too bad to be funny in. {k=2-8} years now, {where*}.`),
      tried: lines(`
        An app every day ({200-900} days!), a class once a week, series with subtitles.
        I have {2-6},000 flashcards and still search for words.`),
      ask: lines(`
        What got you over the plateau?
        More input or more speaking?`),
      answers: lines(`
        Read. A lot, easy things, no dictionary. After ten books the language feels different.
        Drop the subtitles for the second viewing. The first one may be comfortable.
        Speak about one topic until you are good at it. I was fluent in bicycles long before anything else.
        The app has done its job. Let it go.
        Record yourself for two minutes a week. It is awful, and after three months you hear it.
        {k=2-8} years is nothing. B2 took me longer than everything before it.`),
    },
    {
      titles: lines(`
        People always answer in English
        How do you get people to stay in {tongue}?
        My {tongue} partner switches to English`),
      story: lines(`
        I live in {city}, my {tongue} is decent, and at the first hesitation everybody switches to English. They mean well. I [feel twelve|give up at once].
        On holiday I prepared every sentence in {tongue}, and every waiter answered in perfect English.`),
      ask: lines(`
        What do you say to that?
        Is it my accent, or the pauses?`),
      answers: lines(`
        “I am learning, may we go on?” in {tongue}, with a smile. Works nine times out of ten.
        Learn the fillers! Their “well, you know, let me think”. Silence is what makes people switch.
        Talk to old people and to children. They have time and no English.
        I pretend to speak only {tongue2}. Terrible trick, good results.
        Just keep answering in {tongue}. Two languages at one table is fine.`),
    },
    {
      titles: lines(`
        {k=300-2000} flashcards due – start over?
        Flashcards: how many new ones a day?
        I hate my flashcards`),
      story: lines(`
        Two weeks of holiday, and now {k=300-2000} reviews are waiting. I open the program, see the number, and close it again.
        {k=300-2000} cards for {tongue}, {10-30} new ones a day, and it takes {40-90/5} minutes each morning. It works, but I [dread it|have started to hate it].`),
      ask: lines(`
        Delete, suspend, or grit my teeth?
        What is a sane number?`),
      answers: lines(`
        Stop new cards and do a hundred a day, oldest last. {k=300-2000} are gone within two weeks.
        Five new ones a day, for ever, beats thirty for a month.
        Delete the deck. What matters will come back in reading. I did, and felt light.
        Only sentences you have met yourself. Other people’s decks are other people’s lives.
        Suspend everything you got wrong more than eight times. Leeches cost most of the time.`),
    },
    {
      titles: lines(`
        {Tongue} and {tongue2} at the same time?
        Two languages at once: madness?
        Keeping {tongue} alive while learning {tongue2}`),
      story: lines(`
        I have {tongue} at about B2 and need {tongue2} for [work|my partner’s family|a move]. Each time I open my mouth the wrong language comes out.
        I would love to begin {tongue2} without losing {tongue}. Time: {20-60/5} minutes a day, {where*}.`),
      ask: lines(`
        One after the other, or side by side?
        How do you keep them apart?`),
      answers: lines(`
        If one is B2 already, go ahead. Two beginners’ languages at once is what does not work.
        Different places: {tongue} at the desk, {tongue2} on walks. The brain likes that.
        Learn {tongue2} from books in {tongue}. You keep one while you learn the other.
        They will mix. It goes away when the second one gets stronger.
        One day a week only {tongue}, no matter what.`),
    },
  ],
  shows: lines(`
    It was clumsy, I said “I am a pregnant” instead of “embarrassed”, and we both laughed for a minute.
    {5-45/5} minutes on the phone, and I only had to ask twice.
    I understood maybe {60-90} percent. A year ago it was ten.
    The trick was to stop translating and to describe around the word I did not have.
    A hundred days, {3-8} sentences each. The first pages are adorable.
    My tutor said “I no longer have to speak slowly with you”. I had to look out of the window.
    The exam was {2-4} hours long, and the listening part was recorded in a bucket.
    I read {180-420} pages, looked up {20-90} words, and forgot that it was {tongue*}.`),
  details: lines(`
    I do {15-45/5} minutes a day, mostly {where}.
    The best part was a word that has no English equivalent.
    I still mix up two verbs that sound alike, and always will.
    My partner in the tandem corrects only one thing per evening, which is perfect.
    Grammar came last and then made sense all at once.
    Pronunciation took more time than vocabulary.
    I made a list of the fifty words I use most. It was embarrassing.
    The dialect is another story.`),
  tips: lines(`
    Learn whole phrases, never single words.
    Speak from the first week, badly.
    Read something far too easy every day.
    Learn the fillers first, they buy you time.
    Write a diary of three sentences.
    Listen to the same ten minutes until you understand all of it.
    Find one person who is patient.
    Look up a word only when you have met it three times.
    Record yourself, wait a week, listen.
    Attach the habit to your coffee.
    Learn to ask “what do you call that?” before anything else.
    Sing, nobody stutters when they sing.
    Keep your streak for the habit, not for the number.`),
  opinions: lines(`
    Apps are great for starting and terrible for staying.
    Accent matters less than rhythm.
    Grammar is easier to like once you no longer need it.
    Nobody is bad at languages, some were only bored at school.
    Watching series with subtitles in your own language is just watching series.
    An hour with a patient human is worth ten with an app.
    Reading aloud is the most underrated exercise there is.
    Being laughed at is part of the fee.
    Fluency is the wrong goal, comfort is the right one.
    Small languages give you the warmest welcome.`),
  replies: lines(`
    How many minutes a day was that?
    Which {gear*} did you use?
    I am learning {tongue*} too, shall we swap voice messages?
    Native speaker of {tongue*} here: yes, we make that mistake as well.
    That happened to me in {city*}. I still blush.
    Graded readers! I cannot say it often enough.
    The same word means something rude in {tongue*}, careful 😄
    Did you learn the script first, or along the way?
    My teacher always said: first wrong, then fast, then right.
    Congratulations, B2 is a different world.
    I can help with {tongue*} if you like.
    Do you dream in it yet?`),
  polls: [
    { question: 'What keeps you going?', options: ['Family', 'Work', 'Travel', 'Books and films', 'Stubbornness'] },
    { question: 'Minutes a day, honestly?', options: ['Under 10', '10 to 30', '30 to 60', 'More', 'I buy books instead'] },
    { question: 'Hardest for you?', options: ['Listening', 'Speaking', 'Grammar', 'Vocabulary', 'Starting'] },
  ],
  resources: [
    ['The first thousand sentences', 'graded, with audio by real people'],
    ['How polyglots forget', 'an honest talk for once'],
    ['Minimal pairs for the stubborn ear', 'fifteen minutes a day, four weeks'],
    ['A tandem that lasts', 'how to structure the hour'],
    ['Reading without a dictionary', 'why it works and when it does not'],
    ['Two languages at home', 'eleven families tell'],
    ['Scripts of the world, by hand', 'stroke order for nine of them'],
    ['Exam week', 'a survival guide for B1 to C1'],
  ],
}
