;; One pass over the bytes of a text, sixteen at a time. Writes down where runs without spaces, quotes and brackets lie that
;; are long enough for a token, and which signs have a name before them that may say something.
;;
;; Memory:       0  the bytes of the text, then 32 zeros
;;        0x20100  256 bytes: 1 for what may stand between a name and its sign
;;        0x20200  32768 bytes: 1 for three characters that end a name, five bits of each
;;        0x28200  the signs: places, four bytes each
;;        0xA8300  the runs: start and end, four bytes each
;;        0xC0000  the words: places, four bytes each
;;       0x100000  32768 masks of four bytes, by three characters that a token begins with: a bit for each fourth character
;;       0x120000  32768 bytes: 1 for three characters that end a prefix
;;       0x128000  256 bytes: 1 for letters, 2 for digits, 4 for the other characters of Base64
;;       0x129000  tables of halves: of pairs, for the low and the high half of the first character and of the second; and so of
;;                 words, for three characters
(module
  (memory (export "memory") 19)
  (global $runs (mut i32) (i32.const 0))
  (global $anchors (mut i32) (i32.const 0))
  (global $words (mut i32) (i32.const 0))
  (global $signs (mut i32) (i32.const 0))

  ;; Which pairs of characters the last scan met: 1 for --, 2 for -u, 4 for </, 8 for Be, 16 for PA, 32 for a space, a
  ;; dash and a small letter, 64 for BY, 128 for ne(.
  (func (export "anchors") (result i32) (global.get $anchors))

  ;; How many signs the last scan found.
  (func (export "signCount") (result i32) (i32.shr_u (i32.sub (global.get $signs) (i32.const 0x28200)) (i32.const 2)))

  ;; How many words the last scan found.
  (func (export "wordCount") (result i32) (i32.shr_u (i32.sub (global.get $words) (i32.const 0xC0000)) (i32.const 2)))

  ;; How many runs the last scan found.
  (func (export "runCount") (result i32) (i32.shr_u (i32.sub (global.get $runs) (i32.const 0xA8300)) (i32.const 3)))

  ;; Whether the name before the sign at $sign may say something. A digit at its end comes after a letter.
  (func $isNamed (param $sign i32) (result i32)
    (local $at i32) (local $last i32) (local $stop i32)
    (local.set $at (i32.sub (local.get $sign) (i32.const 1)))
    ;; Nobody writes more than that between a name and its sign, unless to keep us busy.
    (local.set $stop (i32.sub (local.get $sign) (i32.const 24)))
    (block $done
      (loop $back
        (br_if $done (i32.or (i32.lt_s (local.get $at) (i32.const 2)) (i32.lt_s (local.get $at) (local.get $stop))))
        (local.set $last (i32.load8_u (local.get $at)))
        (br_if $done (i32.eqz (i32.load8_u offset=0x20100 (local.get $last))))
        (local.set $at (i32.sub (local.get $at) (i32.const 1)))
        (br $back)))
    (if (i32.lt_s (local.get $at) (i32.const 2)) (then (return (i32.const 0))))
    (if (i32.lt_u (local.get $last) (i32.const 58))
      (then
        (return
          (i32.and
            (i32.ge_u (local.get $last) (i32.const 48))
            (i32.gt_u (i32.load8_u (i32.sub (local.get $at) (i32.const 1))) (i32.const 64))))))
    (i32.load8_u offset=0x20200
      (i32.or
        (i32.or
          (i32.shl (i32.and (i32.load8_u (i32.sub (local.get $at) (i32.const 2))) (i32.const 31)) (i32.const 10))
          (i32.shl (i32.and (i32.load8_u (i32.sub (local.get $at) (i32.const 1))) (i32.const 31)) (i32.const 5)))
        (i32.and (local.get $last) (i32.const 31)))))

  ;; Whether the run may hold something: the same as isWorthReading in run-filter.ts. The kinds of up to 64 characters from
  ;; $base on are bits of a number each, so that words are found and measured without a branch for each character, which would
  ;; be guessed wrong. Of a longer run, forty characters are looked at in turn: what begins there can be seen to its end, or far
  ;; enough.
  (func $isWorthReading (param $from i32) (param $to i32) (result i32)
    (local $before i32) (local $base i32) (local $place i32) (local $shift i64) (local $chunk v128) (local $next v128)
    (local $letters i64) (local $digits i64) (local $joints i64) (local $others i64) (local $dots i64)
    (local $marks i64) (local $putty i64) (local $seen i64) (local $within i64)
    (local $words i64) (local $starts i64) (local $news i64) (local $ends i64) (local $all i64)
    (local $two i64) (local $fours i64) (local $eight i64) (local $at i32) (local $four i32) (local $found i32)
    (local.set $before (i32.const 10))
    (if (local.get $from)
      (then
        (local.set $before (i32.load8_u (i32.sub (local.get $from) (i32.const 1))))
        (if (i32.or
              (i32.or (i32.eq (local.get $before) (i32.const 37)) (i32.eq (local.get $before) (i32.const 36)))
              (i32.eq (local.get $before) (i32.const 27)))
          (then (return (i32.const 1))))
        (if (i32.gt_u (local.get $from) (i32.const 7))
          (then
            (if (i32.and
                  (i32.eq (i32.load8_u (i32.sub (local.get $from) (i32.const 2))) (i32.const 115))
                  (i32.eq (i32.load8_u (i32.sub (local.get $from) (i32.const 3))) (i32.const 117)))
              (then (return (i32.const 1))))))))
    (if (i32.eq (local.get $before) (i32.const 10))
      (then (if (call $hasPort (local.get $from) (local.get $to)) (then (return (i32.const 1))))))
    (local.set $base (local.get $from))
    (loop $window
      (local.set $letters (i64.const 0))
      (local.set $digits (i64.const 0))
      (local.set $joints (i64.const 0))
      (local.set $others (i64.const 0))
      (local.set $dots (i64.const 0))
      (local.set $marks (i64.const 0))
      (local.set $putty (i64.const 0))
      (local.set $place (i32.const 0))
      (loop $kinds
        (local.set $chunk (v128.load align=1 (i32.add (local.get $base) (local.get $place))))
        (local.set $next (v128.load offset=1 align=1 (i32.add (local.get $base) (local.get $place))))
        (local.set $shift (i64.extend_i32_u (local.get $place)))
        (local.set $letters
          (i64.or
            (local.get $letters)
            (i64.shl
              (i64.extend_i32_u (i8x16.bitmask (i8x16.le_u (i8x16.sub (v128.or (local.get $chunk) (v128.const i32x4 0x20202020 0x20202020 0x20202020 0x20202020)) (v128.const i32x4 0x61616161 0x61616161 0x61616161 0x61616161)) (v128.const i32x4 0x19191919 0x19191919 0x19191919 0x19191919))))
              (local.get $shift))))
        (local.set $digits
          (i64.or
            (local.get $digits)
            (i64.shl
              (i64.extend_i32_u (i8x16.bitmask (i8x16.le_u (i8x16.sub (local.get $chunk) (v128.const i32x4 0x30303030 0x30303030 0x30303030 0x30303030)) (v128.const i32x4 0x09090909 0x09090909 0x09090909 0x09090909))))
              (local.get $shift))))
        ;; - and _
        (local.set $joints
          (i64.or
            (local.get $joints)
            (i64.shl
              (i64.extend_i32_u (i8x16.bitmask (v128.or (i8x16.eq (local.get $chunk) (v128.const i32x4 0x2d2d2d2d 0x2d2d2d2d 0x2d2d2d2d 0x2d2d2d2d)) (i8x16.eq (local.get $chunk) (v128.const i32x4 0x5f5f5f5f 0x5f5f5f5f 0x5f5f5f5f 0x5f5f5f5f)))))
              (local.get $shift))))
        ;; + and /
        (local.set $others
          (i64.or
            (local.get $others)
            (i64.shl
              (i64.extend_i32_u (i8x16.bitmask (v128.or (i8x16.eq (local.get $chunk) (v128.const i32x4 0x2b2b2b2b 0x2b2b2b2b 0x2b2b2b2b 0x2b2b2b2b)) (i8x16.eq (local.get $chunk) (v128.const i32x4 0x2f2f2f2f 0x2f2f2f2f 0x2f2f2f2f 0x2f2f2f2f)))))
              (local.get $shift))))
        (local.set $dots
          (i64.or
            (local.get $dots)
            (i64.shl
              (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (local.get $chunk) (v128.const i32x4 0x2e2e2e2e 0x2e2e2e2e 0x2e2e2e2e 0x2e2e2e2e))))
              (local.get $shift))))
        ;; ~ and \, and .e
        (local.set $marks
          (i64.or
            (local.get $marks)
            (i64.shl
              (i64.extend_i32_u (i8x16.bitmask (v128.or (v128.or (i8x16.eq (local.get $chunk) (v128.const i32x4 0x7e7e7e7e 0x7e7e7e7e 0x7e7e7e7e 0x7e7e7e7e)) (i8x16.eq (local.get $chunk) (v128.const i32x4 0x5c5c5c5c 0x5c5c5c5c 0x5c5c5c5c 0x5c5c5c5c))) (v128.and (i8x16.eq (local.get $chunk) (v128.const i32x4 0x2e2e2e2e 0x2e2e2e2e 0x2e2e2e2e 0x2e2e2e2e)) (i8x16.eq (local.get $next) (v128.const i32x4 0x65656565 0x65656565 0x65656565 0x65656565))))))
              (local.get $shift))))
        ;; Pu
        (local.set $putty
          (i64.or
            (local.get $putty)
            (i64.shl
              (i64.extend_i32_u (i8x16.bitmask (v128.and (i8x16.eq (local.get $chunk) (v128.const i32x4 0x50505050 0x50505050 0x50505050 0x50505050)) (i8x16.eq (local.get $next) (v128.const i32x4 0x75757575 0x75757575 0x75757575 0x75757575)))))
              (local.get $shift))))
        (local.set $place (i32.add (local.get $place) (i32.const 16)))
        (br_if $kinds
          (i32.and
            (i32.lt_u (local.get $place) (i32.const 64))
            (i32.lt_u (i32.add (local.get $base) (local.get $place)) (local.get $to)))))
      ;; Of the characters of the run; what begins at the last of a longer one is looked at next.
      (local.set $seen (i64.extend_i32_u (i32.sub (local.get $to) (local.get $base))))
      (local.set $within (i64.const -1))
      (if (i64.lt_u (local.get $seen) (i64.const 64))
        (then (local.set $within (i64.sub (i64.shl (i64.const 1) (local.get $seen)) (i64.const 1)))))
      (local.set $letters (i64.and (local.get $letters) (local.get $within)))
      (local.set $digits (i64.and (local.get $digits) (local.get $within)))
      (local.set $joints (i64.and (local.get $joints) (local.get $within)))
      (local.set $words (i64.or (local.get $letters) (local.get $digits)))
      (local.set $all
        (i64.or
          (i64.or (local.get $words) (local.get $joints))
          (i64.and (local.get $others) (local.get $within))))
      (local.set $starts (i64.and (local.get $words) (i64.xor (i64.shl (local.get $words) (i64.const 1)) (i64.const -1))))
      (local.set $ends (i64.or (local.get $joints) (i64.and (local.get $dots) (local.get $within))))
      (local.set $news (i64.shl (local.get $joints) (i64.const 1)))
      (if (i32.eq (local.get $base) (local.get $from))
        ;; A prefix has more than two characters before the one that ends it.
        (then (local.set $ends (i64.and (local.get $ends) (i64.const -16))))
        (else
          (local.set $four (i32.load8_u (i32.sub (local.get $base) (i32.const 1))))
          (if (i32.and (i32.load8_u offset=0x128000 (local.get $four)) (i32.const 3))
            (then (local.set $starts (i64.and (local.get $starts) (i64.const -2)))))
          (if (i32.or (i32.eq (local.get $four) (i32.const 45)) (i32.eq (local.get $four) (i32.const 95)))
            (then (local.set $news (i64.or (local.get $news) (i64.const 1)))))))
      (if (i64.gt_u (local.get $seen) (i64.const 64)) (then (local.set $within (i64.const 0xffffffffff))))
      (local.set $starts (i64.and (local.get $starts) (local.get $within)))
      (local.set $ends (i64.and (local.get $ends) (local.get $within)))
      ;; Words of more than twenty characters.
      (local.set $two (i64.and (local.get $words) (i64.shr_u (local.get $words) (i64.const 1))))
      (local.set $fours (i64.and (local.get $two) (i64.shr_u (local.get $two) (i64.const 2))))
      (local.set $eight (i64.and (local.get $fours) (i64.shr_u (local.get $fours) (i64.const 4))))
      (if (i64.ne
            (i64.const 0)
            (i64.or
              (i64.or
                (i64.and (local.get $marks) (local.get $within))
                (i64.and (local.get $putty) (local.get $starts)))
              (i64.and
                (i64.and
                  (i64.and (local.get $eight) (i64.shr_u (local.get $eight) (i64.const 8)))
                  (i64.shr_u (local.get $fours) (i64.const 16)))
                (i64.shr_u (local.get $words) (i64.const 20)))))
        (then (return (i32.const 1))))
      ;; Values: words that follow no - and _, with fourteen characters that a value may have.
      (local.set $two (i64.and (local.get $all) (i64.shr_u (local.get $all) (i64.const 1))))
      (local.set $fours (i64.and (local.get $two) (i64.shr_u (local.get $two) (i64.const 2))))
      (local.set $eight (i64.and (local.get $fours) (i64.shr_u (local.get $fours) (i64.const 4))))
      (local.set $news
        (i64.and
          (i64.and (local.get $starts) (i64.xor (local.get $news) (i64.const -1)))
          (i64.and
            (i64.and (local.get $eight) (i64.shr_u (local.get $fours) (i64.const 8)))
            (i64.shr_u (local.get $two) (i64.const 12)))))
      (block $none
        (br_if $none (i64.eqz (local.get $news)))
        (loop $each
          (local.set $shift (i64.ctz (local.get $news)))
          (if (call $mayBeValue
                (i32.add (local.get $base) (i32.wrap_i64 (local.get $shift)))
                (i64.shr_u (local.get $letters) (local.get $shift))
                (i64.shr_u (local.get $digits) (local.get $shift))
                (i64.ctz (i64.xor (i64.shr_u (local.get $all) (local.get $shift)) (i64.const -1)))
                (i64.sub (i64.const 64) (local.get $shift)))
            (then (return (i32.const 1))))
          (local.set $news (i64.and (local.get $news) (i64.sub (local.get $news) (i64.const 1))))
          (br_if $each (i64.ne (local.get $news) (i64.const 0)))))
      ;; Tokens that begin with a word, by five bits of each of its first three characters, and of the fourth.
      (block $none
        (br_if $none (i64.eqz (local.get $starts)))
        (loop $each
          (local.set $at (i32.add (local.get $base) (i32.wrap_i64 (i64.ctz (local.get $starts)))))
          (local.set $four (i32.load align=1 (local.get $at)))
          (local.set $found
            (i32.or
              (local.get $found)
              (i32.and
                (i32.lt_u (i32.add (local.get $at) (i32.const 2)) (local.get $to))
                (i32.shr_u
                  (i32.load offset=0x100000
                    (i32.shl
                      (i32.or
                        (i32.or
                          (i32.shl (i32.and (local.get $four) (i32.const 31)) (i32.const 10))
                          (i32.and (i32.shr_u (local.get $four) (i32.const 3)) (i32.const 0x3e0)))
                        (i32.and (i32.shr_u (local.get $four) (i32.const 16)) (i32.const 31)))
                      (i32.const 2)))
                  (i32.and (i32.shr_u (local.get $four) (i32.const 24)) (i32.const 31))))))
          (local.set $starts (i64.and (local.get $starts) (i64.sub (local.get $starts) (i64.const 1))))
          (br_if $each (i64.ne (local.get $starts) (i64.const 0)))))
      ;; Prefixes that end with -, _ or a dot, by it and the two characters before it.
      (block $none
        (br_if $none (i64.eqz (local.get $ends)))
        (loop $each
          (local.set $four
            (i32.load align=1
              (i32.sub
                (i32.add (local.get $base) (i32.wrap_i64 (i64.ctz (local.get $ends))))
                (i32.const 2))))
          (local.set $found
            (i32.or
              (local.get $found)
              (i32.load8_u offset=0x120000
                (i32.or
                  (i32.or
                    (i32.shl (i32.and (local.get $four) (i32.const 31)) (i32.const 10))
                    (i32.and (i32.shr_u (local.get $four) (i32.const 3)) (i32.const 0x3e0)))
                  (i32.and (i32.shr_u (local.get $four) (i32.const 16)) (i32.const 31))))))
          (local.set $ends (i64.and (local.get $ends) (i64.sub (local.get $ends) (i64.const 1))))
          (br_if $each (i64.ne (local.get $ends) (i64.const 0)))))
      (if (local.get $found) (then (return (i32.const 1))))
      (local.set $base (i32.add (local.get $base) (i32.const 40)))
      (br_if $window (i64.gt_u (local.get $seen) (i64.const 64))))
    (i32.const 0))

  ;; Whether a colon with a digit or a star after it is in the run, as in a line of .pgpass.
  (func $hasPort (param $at i32) (param $to i32) (result i32)
    (local $next i32)
    (loop $each
      (if (i32.eq (i32.load8_u (local.get $at)) (i32.const 58))
        (then
          (local.set $next (i32.load8_u offset=1 (local.get $at)))
          (if (i32.or
                (i32.eq (local.get $next) (i32.const 42))
                (i32.eq (i32.load8_u offset=0x128000 (local.get $next)) (i32.const 2)))
            (then (return (i32.const 1))))))
      (local.set $at (i32.add (local.get $at) (i32.const 1)))
      (br_if $each (i32.lt_u (local.get $at) (local.get $to))))
    (i32.const 0))

  ;; Whether the characters from $at on may be a value: a letter and a digit are among them, and they are a shape by
  ;; themselves or do not belong to the sign before them.
  (func $mayBeValue
    (param $at i32) (param $letters i64) (param $digits i64) (param $length i64) (param $known i64) (result i32)
    (local $code i32)
    (if (i32.eqz
          (call $isMixed
            (local.get $at) (local.get $letters) (local.get $digits) (local.get $length) (local.get $known)))
      (then (return (i32.const 0))))
    (if (i32.le_u (i32.sub (i32.load8_u (local.get $at)) (i32.const 77)) (i32.const 2)) (then (return (i32.const 1))))
    (if (i32.eq (i32.load8_u offset=32 (local.get $at)) (i32.const 45)) (then (return (i32.const 1))))
    (if (i32.eq (i32.load8_u offset=6 (local.get $at)) (i32.const 95)) (then (return (i32.const 1))))
    (if (i32.eqz (local.get $at)) (then (return (i32.const 0))))
    (local.set $code (i32.load8_u (i32.sub (local.get $at) (i32.const 1))))
    (if (i32.eq (local.get $code) (i32.const 58)) (then (return (i32.const 1))))
    (i32.eqz
      (i32.or
        (i32.or
          (i32.and (i32.load8_u offset=0x128000 (i32.and (local.get $code) (i32.const 127))) (i32.const 3))
          (i32.eq (local.get $code) (i32.const 61)))
        (i32.or (i32.eq (local.get $code) (i32.const 46)) (i32.eq (local.get $code) (i32.const 47))))))

  ;; Whether there are a letter and a digit in the characters from $at on: of the first $known, those before $length count; if
  ;; all of them do, those behind them count too, up to the first that is of another kind.
  (func $isMixed
    (param $at i32) (param $letters i64) (param $digits i64) (param $length i64) (param $known i64) (result i32)
    (local $before i64) (local $found i32) (local $class i32)
    (local.set $before
      (select
        (i64.const -1)
        (i64.sub (i64.shl (i64.const 1) (local.get $length)) (i64.const 1))
        (i64.ge_u (local.get $length) (i64.const 64))))
    (local.set $found
      (i32.or
        (i64.ne (i64.and (local.get $letters) (local.get $before)) (i64.const 0))
        (i32.shl (i64.ne (i64.and (local.get $digits) (local.get $before)) (i64.const 0)) (i32.const 1))))
    (if (i64.lt_u (local.get $length) (local.get $known))
      (then (return (i32.eq (local.get $found) (i32.const 3)))))
    (local.set $at (i32.add (local.get $at) (i32.wrap_i64 (local.get $known))))
    (loop $each
      (local.set $class (i32.load8_u offset=0x128000 (i32.load8_u (local.get $at))))
      (local.set $found (i32.or (local.get $found) (i32.and (local.get $class) (i32.const 3))))
      (local.set $at (i32.add (local.get $at) (i32.const 1)))
      (br_if $each (i32.and (local.get $class) (i32.ne (local.get $found) (i32.const 3)))))
    (i32.eq (local.get $found) (i32.const 3)))

  ;; Keeps of the signs up to $end those that have a name before them that may say something, or a slash after them: an
  ;; address has no name before its sign.
  (func $keepNamed (param $end i32)
    (local $from i32) (local $kept i32) (local $sign i32)
    (local.set $from (i32.const 0x28200))
    (local.set $kept (i32.const 0x28200))
    (block $done
      (loop $each
        (br_if $done (i32.ge_u (local.get $from) (local.get $end)))
        (local.set $sign (i32.load (local.get $from)))
        (i32.store (local.get $kept) (local.get $sign))
        (if (i32.or
              (i32.eq (i32.load8_u offset=1 (local.get $sign)) (i32.const 47))
              (call $isNamed (local.get $sign)))
          (then (local.set $kept (i32.add (local.get $kept) (i32.const 4)))))
        (local.set $from (i32.add (local.get $from) (i32.const 4)))
        (br $each)))
    (global.set $signs (local.get $kept)))

  ;; Keeps of the runs up to $end those that may hold something.
  (func $keepWorthReading (param $end i32)
    (local $from i32) (local $kept i32) (local $run i64)
    (local.set $from (i32.const 0xA8300))
    (local.set $kept (i32.const 0xA8300))
    (block $done
      (loop $each
        (br_if $done (i32.ge_u (local.get $from) (local.get $end)))
        (local.set $run (i64.load (local.get $from)))
        (if (call $isWorthReading (i32.wrap_i64 (local.get $run)) (i32.wrap_i64 (i64.shr_u (local.get $run) (i64.const 32))))
          (then
            (i64.store (local.get $kept) (local.get $run))
            (local.set $kept (i32.add (local.get $kept) (i32.const 8)))))
        (local.set $from (i32.add (local.get $from) (i32.const 8)))
        (br $each)))
    (global.set $runs (local.get $kept)))

  ;; Returns 0 if nothing of all that is there.
  (func (export "scan") (param $length i32) (result i32)
    (local $at i32) (local $bytes v128) (local $mask i32) (local $carry i32) (local $first i32)
    (local $count i32) (local $signs i32) (local $runs_end i32) (local $words_end i32) (local $found i64)
    (local $after v128) (local $third v128) (local $low v128) (local $low_after v128)
    (local $high v128) (local $high_after v128) (local $pairs v128)
    (v128.store align=1 (local.get $length) (v128.const i64x2 0 0))
    (v128.store offset=16 align=1 (local.get $length) (v128.const i64x2 0 0))
    (local.set $signs (i32.const 0x28200))
    (local.set $runs_end (i32.const 0xA8300))
    (local.set $words_end (i32.const 0xC0000))
    (loop $next
      (local.set $bytes (v128.load (local.get $at)))
      ;; The characters that do not belong to a run: a long one may end at the first, and another begins after the last. What is
      ;; written down without a long run is written over: a branch would be guessed wrong too often.
      (local.set $mask
        (i32.xor
          (i32.const 0xffff)
          (i8x16.bitmask
            (i8x16.ge_u (local.get $bytes) (v128.const i32x4 0x2b2b2b2b 0x2b2b2b2b 0x2b2b2b2b 0x2b2b2b2b)))))
      (local.set $first (i32.ctz (local.get $mask)))
      (i32.store (local.get $runs_end) (i32.sub (local.get $at) (local.get $carry)))
      (i32.store offset=4 (local.get $runs_end) (i32.add (local.get $at) (local.get $first)))
      (local.set $runs_end
        (i32.add
          (local.get $runs_end)
          (i32.shl
            (i32.and
              (i32.ge_u (i32.add (local.get $carry) (local.get $first)) (i32.const 20))
              (i32.ne (local.get $mask) (i32.const 0)))
            (i32.const 3))))
      (local.set $carry
        (select
          (i32.clz (i32.shl (local.get $mask) (i32.const 16)))
          (i32.add (local.get $carry) (i32.const 16))
          (local.get $mask)))
      ;; The signs, = and :, of which few places have more than two. Written down in the same way.
      (local.set $mask
        (i8x16.bitmask
          (v128.or
            (i8x16.eq (local.get $bytes) (v128.const i32x4 0x3d3d3d3d 0x3d3d3d3d 0x3d3d3d3d 0x3d3d3d3d))
            (i8x16.eq (local.get $bytes) (v128.const i32x4 0x3a3a3a3a 0x3a3a3a3a 0x3a3a3a3a 0x3a3a3a3a)))))
      (loop $more
        (local.set $count (i32.popcnt (local.get $mask)))
        (i32.store (local.get $signs) (i32.add (local.get $at) (i32.ctz (local.get $mask))))
        (local.set $mask (i32.and (local.get $mask) (i32.sub (local.get $mask) (i32.const 1))))
        (i32.store offset=4 (local.get $signs) (i32.add (local.get $at) (i32.ctz (local.get $mask))))
        (local.set $mask (i32.and (local.get $mask) (i32.sub (local.get $mask) (i32.const 1))))
        (local.set $signs
          (i32.add
            (local.get $signs)
            (i32.shl
              (i32.sub (local.get $count) (i32.popcnt (local.get $mask)))
              (i32.const 2))))
        (br_if $more (local.get $mask)))
      ;; The halves of each byte and of those after it. Two tables for each place have a bit for each pair, or each kind of
      ;; word, that has such halves there: what all of them agree on is there.
      (local.set $after (v128.load offset=1 align=1 (local.get $at)))
      (local.set $third (v128.load offset=2 align=1 (local.get $at)))
      (local.set $low (v128.and (local.get $bytes) (v128.const i32x4 0x0f0f0f0f 0x0f0f0f0f 0x0f0f0f0f 0x0f0f0f0f)))
      (local.set $high (v128.and (i16x8.shr_u (local.get $bytes) (i32.const 4)) (v128.const i32x4 0x0f0f0f0f 0x0f0f0f0f 0x0f0f0f0f 0x0f0f0f0f)))
      (local.set $low_after (v128.and (local.get $after) (v128.const i32x4 0x0f0f0f0f 0x0f0f0f0f 0x0f0f0f0f 0x0f0f0f0f)))
      (local.set $high_after (v128.and (i16x8.shr_u (local.get $after) (i32.const 4)) (v128.const i32x4 0x0f0f0f0f 0x0f0f0f0f 0x0f0f0f0f 0x0f0f0f0f)))
      ;; Pairs that other searches begin with: where there is none, they need not look. Two of them count only before a
      ;; certain third character: the sixth before a small letter, the eighth before a bracket.
      (local.set $pairs
        (v128.or
          (local.get $pairs)
          (v128.and
            (v128.or
              (v128.const i32x4 0x5f5f5f5f 0x5f5f5f5f 0x5f5f5f5f 0x5f5f5f5f)
              (v128.or
                (v128.and
                  (i8x16.ge_u (local.get $third) (v128.const i32x4 0x61616161 0x61616161 0x61616161 0x61616161))
                  (v128.const i32x4 0x20202020 0x20202020 0x20202020 0x20202020))
                (v128.and
                  (i8x16.eq (local.get $third) (v128.const i32x4 0x28282828 0x28282828 0x28282828 0x28282828))
                  (v128.const i32x4 0x80808080 0x80808080 0x80808080 0x80808080))))
            (v128.and
              (v128.and
                (i8x16.swizzle (v128.load offset=0x129000 (i32.const 0)) (local.get $low))
                (i8x16.swizzle (v128.load offset=0x129010 (i32.const 0)) (local.get $high)))
              (v128.and
                (i8x16.swizzle (v128.load offset=0x129020 (i32.const 0)) (local.get $low_after))
                (i8x16.swizzle (v128.load offset=0x129030 (i32.const 0)) (local.get $high_after)))))))
      ;; Three characters of words that name a secret, or a command that is given one.
      (local.set $mask
        (i32.xor
          (i32.const 0xffff)
          (i8x16.bitmask
            (i8x16.eq
              (v128.const i64x2 0 0)
              (v128.and
                (v128.and
                  (v128.and
                    (i8x16.swizzle (v128.load offset=0x129040 (i32.const 0)) (local.get $low))
                    (i8x16.swizzle (v128.load offset=0x129050 (i32.const 0)) (local.get $high)))
                  (v128.and
                    (i8x16.swizzle (v128.load offset=0x129060 (i32.const 0)) (local.get $low_after))
                    (i8x16.swizzle (v128.load offset=0x129070 (i32.const 0)) (local.get $high_after))))
                (v128.and
                  (i8x16.swizzle (v128.load offset=0x129080 (i32.const 0)) (v128.and (local.get $third) (v128.const i32x4 0x0f0f0f0f 0x0f0f0f0f 0x0f0f0f0f 0x0f0f0f0f)))
                  (i8x16.swizzle (v128.load offset=0x129090 (i32.const 0)) (v128.and (i16x8.shr_u (local.get $third) (i32.const 4)) (v128.const i32x4 0x0f0f0f0f 0x0f0f0f0f 0x0f0f0f0f 0x0f0f0f0f)))))))))
      (block $none
        (br_if $none (i32.eqz (local.get $mask)))
        (loop $each
          (i32.store (local.get $words_end) (i32.add (local.get $at) (i32.ctz (local.get $mask))))
          (local.set $words_end (i32.add (local.get $words_end) (i32.const 4)))
          (local.set $mask (i32.and (local.get $mask) (i32.sub (local.get $mask) (i32.const 1))))
          (br_if $each (local.get $mask))))
      (local.set $at (i32.add (local.get $at) (i32.const 16)))
      ;; One more than there are, so that a run at the very end ends.
      (br_if $next (i32.le_u (local.get $at) (local.get $length))))
    (global.set $words (local.get $words_end))
    (call $keepNamed (local.get $signs))
    (call $keepWorthReading (local.get $runs_end))
    ;; The bits of all sixteen places together.
    (local.set $found
      (i64.or (i64x2.extract_lane 0 (local.get $pairs)) (i64x2.extract_lane 1 (local.get $pairs))))
    (local.set $found (i64.or (local.get $found) (i64.shr_u (local.get $found) (i64.const 32))))
    (local.set $found (i64.or (local.get $found) (i64.shr_u (local.get $found) (i64.const 16))))
    (local.set $found (i64.or (local.get $found) (i64.shr_u (local.get $found) (i64.const 8))))
    (global.set $anchors (i32.and (i32.wrap_i64 (local.get $found)) (i32.const 255)))
    (i32.or
      (global.get $anchors)
      (i32.or
        (i32.sub (global.get $signs) (i32.const 0x28200))
        (i32.or
          (i32.sub (global.get $runs) (i32.const 0xA8300))
          (i32.sub (global.get $words) (i32.const 0xC0000))))))
)
