import type { Topic } from '../../types.ts'
import { lines, words } from '../../words.ts'

export const music: Topic = {
  key: 'music',
  language: 'en',
  lists: {
    field: ['making music'],
    thing:
      words(`sidechain compression, vocal takes at home, field recordings, modular patches, mixing on headphones, lo-fi drums, songwriting with limits, mastering, sampling,
      arranging for strings, room acoustics, ear training, drum programming, ambient tracks, analogue synths, finishing tracks, chord voicings, parallel processing`),
    gear: words(`audio interface, ribbon microphone, MIDI keyboard, drum machine, pair of monitors, reverb pedal, tape recorder, pop filter, bass trap, semi-modular synth, patch bay,
      headphone amp, loop pedal, sampler, condenser microphone, melodica`),
    problem:
      words(`muddy low end, harsh esses, latency, a boxy room, the eight-bar loop that never ends, ground hum, listening fatigue, phase trouble, clicks in the recording, a kick that vanishes on phones,
      plugin collecting, writer’s block, neighbours, over-compression`),
    doing:
      words(`bouncing everything to audio, writing before breakfast, mixing at low volume, recording the room, referencing other tracks, making one sound a day, tuning the drums, comping vocals,
      turning off the screen, practising scales on the bus, leaving the loop, working with four tracks only`),
    did: words(`finished my first EP, recorded vocals in the wardrobe, built bass traps from old towels, played live for nine people, finished a track in one evening, mixed a friend’s band, deleted half of my plugins,
      wrote thirty songs in thirty days, repaired the old tape machine, sampled the dishwasher, learnt to read the spectrum, released it at last`),
    where: words(
      `in a bedroom studio, on headphones only, in a flat with thin walls, on a laptop, in the rehearsal room, with four tracks, outdoors, in a concrete cellar, on the train, without a screen`,
    ),
    goal: words(`finish songs, get a clear low end, record vocals in a bad room, write better melodies, make drums sound less programmed, mix quietly, find my own sound, stop tweaking, learn harmony late,
      play live without a laptop, record an upright piano, get loud without getting flat`),
    genre: words(`ambient, dub techno, indie folk, synth pop, jazz, post-rock, trip hop, house, chamber pop, drum and bass`),
  },
  cases: [
    {
      titles: lines(`
        Kick and bass fight below {k=60-110/5} Hz
        Low end: fine on headphones, mud in the car
        How do you separate kick and bass in {genre}?`),
      story: lines(`
        On headphones my {genre} mix sounds [tight|great]. In the car everything below {k=60-110/5} Hz is one big cloud. I work {where*}, so I cannot trust what I hear.
        The kick sits at {k=60-110/5} Hz, the bass line goes through it, and together they [eat|swallow] all the headroom.`),
      tried: lines(`
        Sidechain with {3-8} dB, a high-pass on everything else, still mud.
        I have looked at {5-20} tutorials. Each says something different, with confidence.`),
      ask: lines(`
        Which of them gets the space below?
        How do you check the low end in a small room?`),
      answers: lines(`
        Decide who is the boss. Kick short and high, bass long and low, or the other way round. Both low does not work.
        Flip the phase of the kick and listen. If it gets louder, you have found the problem.
        Tune the kick to the key of the track. Boring, effective.
        Mono below 120 Hz, always.
        Reference track at the same loudness, switch every ten seconds. After five minutes you know.
        Listen from the next room, door open. If you can follow the bass line there, it is fine.
        Less sidechain, shorter notes. The gap in the bass part does more than any plugin.`),
    },
    {
      titles: lines(`
        {k=10-120} loops, no finished song
        How do you get out of the eight-bar loop?
        I never finish anything`),
      story: lines(`
        I have {k=10-120} project files, all of them eight bars long, most of them [not bad|quite good]. I love {genre}, and I know how a song is built. I just [never do it|start the next one].
        Every evening I make a new loop, polish the hi-hats for an hour, and close the laptop. {k=10-120} of them since {span*}.`),
      ask: lines(`
        What is your way out?
        Do you plan the form first?`),
      answers: lines(`
        Make it too full, all eight bars with everything, then copy it for four minutes and only delete. Arrangement by muting.
        Finish a bad one. Ninety minutes, timer, export. The second one is easier.
        Copy the form of a track you love, bar by bar, with markers. Nobody will hear it.
        No mixing before there is an ending. I moved the plugin folder so that I would have to look for it.
        Record yourself jamming over the loop for ten minutes, without stopping. The song is in there.
        {k=10-120} ideas are not a problem, they are a sample library.`),
    },
    {
      titles: lines(`
        Recording vocals {where}
        My vocal recordings sound boxy
        Wardrobe, duvet or vocal booth?`),
      story: lines(`
        The room is {2-4} by {3-5} metres with bare walls, the voice sounds like it is in a [cardboard box|bucket]. I have {a gear} and a duvet.
        I sing into {a gear}, {10-40} cm away. Close it booms, further away I record the [street|fridge|room].`),
      ask: lines(`
        What brings the most for little money?
        Does the wardrobe trick really work?`),
      answers: lines(`
        The duvet behind the singer, not behind the microphone. The mic hears what is behind *you*.
        A dynamic microphone, close, and half of the room is gone.
        Wardrobes sound like wardrobes. Middle of the room, two duvets in a V, much better.
        Turn off the fridge and put your car keys into it, so that you remember to turn it on again.
        High-pass at 90, cut a bit around 300, done. Performance beats acoustics.
        I record at night under a blanket. Hot, but {praise}.`),
    },
    {
      titles: lines(`
        Learning harmony at {k=25-68} – where to start?
        Music theory for people who play by ear
        I want to understand chords at last`),
      story: lines(`
        I am {k=25-68}, have played by ear for {span}, and when somebody says “secondary dominant” I nod. Books start with the staff and lose me on page {12-40}.
        I write {genre}, always with the same four chords. I hear that there is more, I cannot find it.`),
      ask: lines(`
        What made it click for you?
        Book, course or teacher?`),
      answers: lines(`
        Take songs you love and write down the numbers, not the names: 1, 5, 6, 4. After twenty songs you see the patterns.
        Sing the bass line of everything. The rest follows.
        One new chord a week, used in a real song. Theory without use does not stick.
        A teacher for five lessons. Best money I ever spent, and I am {k=25-68} as well, more or less.
        Learn the piano shapes even if you play guitar. Harmony is visible there.`),
    },
  ],
  shows: lines(`
    {70-174} bpm, {2-6} minutes, {4-40} tracks, and the best sound in it is a mistake.
    The vocals were done in one take at {0-2}:{10-50} at night, whispering, because of the neighbours.
    No samples from a pack, everything in it is from the kitchen.
    I mixed it at the level of a conversation and it translates everywhere, even to the phone.
    It is {genre}, more or less. My sister says it is “that sad washing machine music”.
    The first version had {30-70} tracks. This one has nine, and nothing is missing.
    Recorded {where}, you can hear a tram at 1:{10-55}.
    It has been listened to {14-240} times, about half of that by me.`),
  details: lines(`
    The drums are an old {gear} through a broken pedal.
    There is no compression on the master.
    The chord in the bridge is a wrong key that I kept.
    I used [two|three] microphones, and only the cheap one made it.
    The reverb is the staircase of our house.
    Everything was recorded in a week and mixed in {span*}.
    Mastering was done by {buddy*}, with more taste than I have.
    The {gear} hums a little. I call it character.`),
  tips: lines(`
    Mix quietly and check it loud for ten seconds.
    Name the tracks before you start.
    Finish the arrangement before you open an equaliser.
    Take breaks; ears tire before you notice.
    Record every rehearsal, even on a phone.
    Put the vocal up first and build the rest around it.
    Listen in mono on one small speaker.
    Bounce to audio and throw the options away.
    Leave three decibels of headroom and stop worrying.
    Cut before you boost.
    Change the strings before the session, not on the day of the session.
    Write the chorus first.
    Export a version each night and listen to it at breakfast.
    Turn off the screen when you listen.`),
  opinions: lines(`
    Limits make better music than options.
    The demo is better than the final mix more often than we admit.
    Nobody dances to your converter.
    Presets are instruments that somebody else has tuned for you, and that is fine.
    Loudness has won the war and lost the listeners.
    Lyrics matter even if nobody listens to them.
    The room is half of the sound, and nobody wants to buy a room.
    A finished bad song is worth ten perfect loops.
    You do not need another synth, you need a deadline.
    Tutorials are the new procrastination.`),
  replies: lines(`
    That transition at 1:{10-59} gave me goosebumps.
    What is that pad made of?
    The low end is really clean. On what did you mix?
    I would take the vocals up by a decibel, apart from that: finished.
    Is it in {genre*} tempo on purpose?
    More of the cheap {gear*}, please.
    The snare could be shorter, just my taste.
    I listened to it three times in a row.
    Put it out. Tonight. Do not touch it again.
    The drop of the bass before the second verse is beautiful.
    Any chance of the stems? I would love to make a dub.
    You can hear that you had fun.`),
  polls: [
    {
      question: 'What do you start a track with?',
      options: ['Drums', 'Chords', 'A melody', 'A sample', 'Words', 'Browsing presets for two hours'],
    },
    { question: 'Headphones or monitors?', options: ['Headphones', 'Monitors', 'Both, in turns', 'The car'] },
    {
      question: 'When is a track finished?',
      options: ['At the deadline', 'When I cannot hear it any more', 'Never', 'When my friends dance'],
    },
  ],
  resources: [
    ['Small rooms, big bass', 'acoustics with a tape measure'],
    ['The four-track years', 'interviews about limits'],
    ['How to listen', 'ear training that is not boring'],
    ['Melody: a field guide', 'why some lines stick'],
    ['A history of the reverb tank', 'springs, plates, and a staircase'],
    ['Finishing things', 'a short book for people with loops'],
    ['Microphones on a budget, blind test', 'with the files to download'],
    ['Tuning drums by ear', 'patience and a towel'],
  ],
}
