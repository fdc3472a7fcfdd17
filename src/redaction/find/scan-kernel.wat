;; One pass over the bytes of a text, sixteen at a time. Writes down where runs without spaces, quotes and brackets lie that
;; are long enough for a token, and which signs have a name before them that may say something.
;;
;; Memory:       0  the bytes of the text, then 32 zeros
;;        0x20100  256 bytes: 1 for what may stand between a name and its sign
;;        0x20200  32768 bytes: 1 for three characters that end a name, five bits of each
;;        0x28200  the signs: places, four bytes each
;;        0xA8200  the runs: start and end, four bytes each
;;        0xC0000  the words: places, four bytes each
;;       0x100000  32768 masks of four bytes, by three characters that a token begins with: a bit for each fourth character
;;       0x120000  32768 bytes: 1 for three characters that end a prefix
;;       0x128000  256 bytes: 1 for letters, 2 for digits, 4 for the other characters of Base64
(module
  (memory (export "memory") 19)
  (global $runs (mut i32) (i32.const 0))
  (global $anchors (mut i32) (i32.const 0))
  (global $words (mut i32) (i32.const 0))

  ;; Which pairs of characters the last scan met: 1 for --, 2 for -u, 4 for </, 8 for Be, 16 for PA, 32 for a space, a
  ;; dash and a small letter, 64 for BY, 128 for ne(.
  (func (export "anchors") (result i32) (global.get $anchors))

  ;; How many words the last scan found.
  (func (export "wordCount") (result i32) (i32.shr_u (i32.sub (global.get $words) (i32.const 0xC0000)) (i32.const 2)))

  ;; How many runs the last scan found.
  (func (export "runCount") (result i32) (i32.shr_u (i32.sub (global.get $runs) (i32.const 0xA8200)) (i32.const 3)))

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

  ;; Five bits of each of the three characters from $at on.
  (func $placeOf (param $at i32) (result i32)
    (i32.or
      (i32.or
        (i32.shl (i32.and (i32.load8_u (local.get $at)) (i32.const 31)) (i32.const 10))
        (i32.shl (i32.and (i32.load8_u offset=1 (local.get $at)) (i32.const 31)) (i32.const 5)))
      (i32.and (i32.load8_u offset=2 (local.get $at)) (i32.const 31))))

  ;; Whether the run may hold something: the same as isWorthReading in run-filter.ts.
  (func $isWorthReading (param $from i32) (param $to i32) (result i32)
    (local $at i32) (local $code i32) (local $next i32) (local $before i32) (local $end i32) (local $class i32)
    (local $stretch_end i32) (local $last_letter i32) (local $last_digit i32) (local $is_new i32)
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
    (local.set $at (local.get $from))
    (local.set $stretch_end (local.get $from))
    (local.set $last_letter (i32.const -1))
    (local.set $last_digit (i32.const -1))
    (local.set $is_new (i32.const 1))
    (block $done
      (loop $each
        (br_if $done (i32.ge_u (local.get $at) (local.get $to)))
        (local.set $code (i32.load8_u (local.get $at)))
        (local.set $next (i32.load8_u offset=1 (local.get $at)))
        (if (i32.eqz (i32.and (i32.load8_u offset=0x128000 (local.get $code)) (i32.const 3)))
          (then
            (if (i32.or (i32.eq (local.get $code) (i32.const 126)) (i32.eq (local.get $code) (i32.const 92)))
              (then (return (i32.const 1))))
            (if (i32.eq (local.get $code) (i32.const 58))
              (then
                (if (i32.or
                      (i32.eq (local.get $next) (i32.const 42))
                      (i32.eq (i32.load8_u offset=0x128000 (local.get $next)) (i32.const 2)))
                  (then
                    (if (i32.eqz (local.get $from)) (then (return (i32.const 1))))
                    (if (i32.eq (local.get $before) (i32.const 10)) (then (return (i32.const 1))))))))
            (if (i32.and (i32.eq (local.get $code) (i32.const 46)) (i32.eq (local.get $next) (i32.const 101)))
              (then (return (i32.const 1))))
            (if (i32.gt_u (i32.sub (local.get $at) (local.get $from)) (i32.const 3))
              (then
                (if (i32.load8_u offset=0x120000 (call $placeOf (i32.sub (local.get $at) (i32.const 2))))
                  (then (return (i32.const 1))))))
            (local.set $is_new
              (i32.and (i32.ne (local.get $code) (i32.const 95)) (i32.ne (local.get $code) (i32.const 45))))
            (local.set $at (i32.add (local.get $at) (i32.const 1)))
            (br $each)))
        (if (i32.and (i32.eq (local.get $code) (i32.const 80)) (i32.eq (local.get $next) (i32.const 117)))
          (then (return (i32.const 1))))
        (if (i32.lt_u (i32.add (local.get $at) (i32.const 2)) (local.get $to))
          (then
            (if (i32.and
                  (i32.shr_u
                    (i32.load offset=0x100000 (i32.shl (call $placeOf (local.get $at)) (i32.const 2)))
                    (i32.and (i32.load8_u offset=3 (local.get $at)) (i32.const 31)))
                  (i32.const 1))
              (then (return (i32.const 1))))))
        (if (local.get $is_new)
          (then
            (if (i32.ge_u (local.get $at) (local.get $stretch_end))
              (then
                (local.set $last_letter (i32.const -1))
                (local.set $last_digit (i32.const -1))
                (local.set $stretch_end (local.get $at))
                (block $end
                  (loop $stretch
                    (br_if $end (i32.ge_u (local.get $stretch_end) (local.get $to)))
                    (local.set $class (i32.load8_u offset=0x128000 (i32.load8_u (local.get $stretch_end))))
                    (br_if $end (i32.eqz (local.get $class)))
                    (if (i32.eq (local.get $class) (i32.const 1))
                      (then (local.set $last_letter (local.get $stretch_end)))
                      (else
                        (if (i32.eq (local.get $class) (i32.const 2))
                          (then (local.set $last_digit (local.get $stretch_end))))))
                    (local.set $stretch_end (i32.add (local.get $stretch_end) (i32.const 1)))
                    (br $stretch)))))
            (if (i32.and
                  (i32.and
                    (i32.ge_s (local.get $last_letter) (local.get $at))
                    (i32.ge_s (local.get $last_digit) (local.get $at)))
                  (i32.ge_u (i32.sub (local.get $stretch_end) (local.get $at)) (i32.const 14)))
              (then
                (if (i32.le_u (i32.sub (local.get $code) (i32.const 77)) (i32.const 2)) (then (return (i32.const 1))))
                (if (i32.eq (i32.load8_u offset=32 (local.get $at)) (i32.const 45)) (then (return (i32.const 1))))
                (if (i32.eq (i32.load8_u offset=6 (local.get $at)) (i32.const 95)) (then (return (i32.const 1))))
                (if (local.get $at)
                  (then
                    (local.set $end (i32.load8_u (i32.sub (local.get $at) (i32.const 1))))
                    (if (i32.eq (local.get $end) (i32.const 58)) (then (return (i32.const 1))))
                    (if (i32.eqz
                          (i32.or
                            (i32.or
                              (i32.and
                                (i32.load8_u offset=0x128000 (i32.and (local.get $end) (i32.const 127)))
                                (i32.const 3))
                              (i32.eq (local.get $end) (i32.const 61)))
                            (i32.or
                              (i32.eq (local.get $end) (i32.const 46))
                              (i32.eq (local.get $end) (i32.const 47)))))
                      (then (return (i32.const 1))))))))))
        (local.set $is_new (i32.const 0))
        (local.set $end (i32.add (local.get $at) (i32.const 1)))
        (block $word_end
          (loop $word
            (br_if $word_end (i32.ge_u (local.get $end) (local.get $to)))
            (br_if $word_end
              (i32.eqz (i32.and (i32.load8_u offset=0x128000 (i32.load8_u (local.get $end))) (i32.const 3))))
            (local.set $end (i32.add (local.get $end) (i32.const 1)))
            (br $word)))
        (if (i32.gt_u (i32.sub (local.get $end) (local.get $at)) (i32.const 20)) (then (return (i32.const 1))))
        (local.set $at (local.get $end))
        (br $each)))
    (i32.const 0))

  ;; Returns how many signs were written down.
  (func (export "scan") (param $length i32) (result i32)
    (local $at i32) (local $bytes v128) (local $mask i32) (local $carry i32) (local $first i32)
    (local $sign i32) (local $signs i32) (local $after v128) (local $dashes v128)
    (local $double v128) (local $user v128) (local $closing v128) (local $bearer v128) (local $pass v128)
    (local $short v128) (local $by v128) (local $define v128) (local $third v128)
    (local $hits v128) (local $words_end i32)
    (v128.store align=1 (local.get $length) (v128.const i64x2 0 0))
    (v128.store offset=16 align=1 (local.get $length) (v128.const i64x2 0 0))
    (local.set $signs (i32.const 0x28200))
    (global.set $runs (i32.const 0xA8200))
    (local.set $words_end (i32.const 0xC0000))
    (loop $next
      (local.set $bytes (v128.load (local.get $at)))
      ;; The characters that do not belong to a run.
      (local.set $mask
        (i8x16.bitmask (i8x16.lt_u (local.get $bytes) (v128.const i32x4 0x2b2b2b2b 0x2b2b2b2b 0x2b2b2b2b 0x2b2b2b2b))))
      (if (local.get $mask)
        (then
          (local.set $first (i32.ctz (local.get $mask)))
          (if (i32.ge_u (i32.add (local.get $carry) (local.get $first)) (i32.const 20))
            (then
              (if (call $isWorthReading
                    (i32.sub (local.get $at) (local.get $carry))
                    (i32.add (local.get $at) (local.get $first)))
                (then
                  (i32.store (global.get $runs) (i32.sub (local.get $at) (local.get $carry)))
                  (i32.store offset=4 (global.get $runs) (i32.add (local.get $at) (local.get $first)))
                  (global.set $runs (i32.add (global.get $runs) (i32.const 8)))))))
          (local.set $carry (i32.clz (i32.shl (local.get $mask) (i32.const 16)))))
        (else (local.set $carry (i32.add (local.get $carry) (i32.const 16)))))
      ;; The signs: = and :
      (local.set $mask
        (i8x16.bitmask
          (v128.or
            (i8x16.eq (local.get $bytes) (v128.const i32x4 0x3d3d3d3d 0x3d3d3d3d 0x3d3d3d3d 0x3d3d3d3d))
            (i8x16.eq (local.get $bytes) (v128.const i32x4 0x3a3a3a3a 0x3a3a3a3a 0x3a3a3a3a 0x3a3a3a3a)))))
      (block $none
        (br_if $none (i32.eqz (local.get $mask)))
        (loop $each
          (local.set $sign (i32.add (local.get $at) (i32.ctz (local.get $mask))))
          ;; An address has no name before its sign.
          (if (i32.or
                (i32.eq (i32.load8_u offset=1 (local.get $sign)) (i32.const 47))
                (call $isNamed (local.get $sign)))
            (then
              (i32.store (local.get $signs) (local.get $sign))
              (local.set $signs (i32.add (local.get $signs) (i32.const 4)))))
          (local.set $mask (i32.and (local.get $mask) (i32.sub (local.get $mask) (i32.const 1))))
          (br_if $each (local.get $mask))))
      ;; Pairs that other searches begin with: where there is none, they need not look.
      (local.set $after (v128.load offset=1 align=1 (local.get $at)))
      (local.set $dashes (i8x16.eq (local.get $bytes) (v128.const i32x4 0x2d2d2d2d 0x2d2d2d2d 0x2d2d2d2d 0x2d2d2d2d)))
      (local.set $double
        (v128.or (local.get $double) (v128.and (local.get $dashes) (i8x16.eq (local.get $after) (v128.const i32x4 0x2d2d2d2d 0x2d2d2d2d 0x2d2d2d2d 0x2d2d2d2d)))))
      (local.set $user
        (v128.or (local.get $user) (v128.and (local.get $dashes) (i8x16.eq (local.get $after) (v128.const i32x4 0x75757575 0x75757575 0x75757575 0x75757575)))))
      (local.set $closing
        (v128.or (local.get $closing) (v128.and (i8x16.eq (local.get $bytes) (v128.const i32x4 0x3c3c3c3c 0x3c3c3c3c 0x3c3c3c3c 0x3c3c3c3c)) (i8x16.eq (local.get $after) (v128.const i32x4 0x2f2f2f2f 0x2f2f2f2f 0x2f2f2f2f 0x2f2f2f2f)))))
      (local.set $bearer
        (v128.or (local.get $bearer) (v128.and (i8x16.eq (local.get $bytes) (v128.const i32x4 0x42424242 0x42424242 0x42424242 0x42424242)) (i8x16.eq (local.get $after) (v128.const i32x4 0x65656565 0x65656565 0x65656565 0x65656565)))))
      (local.set $pass
        (v128.or (local.get $pass) (v128.and (i8x16.eq (local.get $bytes) (v128.const i32x4 0x50505050 0x50505050 0x50505050 0x50505050)) (i8x16.eq (local.get $after) (v128.const i32x4 0x41414141 0x41414141 0x41414141 0x41414141)))))
      (local.set $third (v128.load offset=2 align=1 (local.get $at)))
      (local.set $short
        (v128.or (local.get $short) (v128.and
          (v128.and
            (i8x16.eq (local.get $bytes) (v128.const i32x4 0x20202020 0x20202020 0x20202020 0x20202020))
            (i8x16.eq (local.get $after) (v128.const i32x4 0x2d2d2d2d 0x2d2d2d2d 0x2d2d2d2d 0x2d2d2d2d)))
          (i8x16.gt_u (local.get $third) (v128.const i32x4 0x60606060 0x60606060 0x60606060 0x60606060)))))
      (local.set $define
        (v128.or (local.get $define) (v128.and
          (v128.and
            (i8x16.eq (local.get $bytes) (v128.const i32x4 0x6e6e6e6e 0x6e6e6e6e 0x6e6e6e6e 0x6e6e6e6e))
            (i8x16.eq (local.get $after) (v128.const i32x4 0x65656565 0x65656565 0x65656565 0x65656565)))
          (i8x16.eq (local.get $third) (v128.const i32x4 0x28282828 0x28282828 0x28282828 0x28282828)))))
      (local.set $by
        (v128.or (local.get $by) (v128.and (i8x16.eq (local.get $bytes) (v128.const i32x4 0x42424242 0x42424242 0x42424242 0x42424242)) (i8x16.eq (local.get $after) (v128.const i32x4 0x59595959 0x59595959 0x59595959 0x59595959)))))
      ;; Words that name a secret, or a command that is given one: the places of three of their characters, in any case.
      (local.set $hits (v128.and
          (v128.and
            (i8x16.eq (v128.or (local.get $bytes) (v128.const i32x4 0x20202020 0x20202020 0x20202020 0x20202020)) (v128.const i32x4 0x73737373 0x73737373 0x73737373 0x73737373))
            (i8x16.eq (v128.or (local.get $after) (v128.const i32x4 0x20202020 0x20202020 0x20202020 0x20202020)) (v128.const i32x4 0x73737373 0x73737373 0x73737373 0x73737373)))
          (i8x16.eq (v128.or (local.get $third) (v128.const i32x4 0x20202020 0x20202020 0x20202020 0x20202020)) (v128.const i32x4 0x77777777 0x77777777 0x77777777 0x77777777))))
      (local.set $hits (v128.or (local.get $hits) (v128.and
          (v128.and (i8x16.eq (v128.or (local.get $bytes) (v128.const i32x4 0x20202020 0x20202020 0x20202020 0x20202020)) (v128.const i32x4 0x6f6f6f6f 0x6f6f6f6f 0x6f6f6f6f 0x6f6f6f6f)) (i8x16.eq (v128.or (local.get $after) (v128.const i32x4 0x20202020 0x20202020 0x20202020 0x20202020)) (v128.const i32x4 0x6b6b6b6b 0x6b6b6b6b 0x6b6b6b6b 0x6b6b6b6b)))
          (i8x16.eq (v128.or (local.get $third) (v128.const i32x4 0x20202020 0x20202020 0x20202020 0x20202020)) (v128.const i32x4 0x65656565 0x65656565 0x65656565 0x65656565)))))
      (local.set $hits (v128.or (local.get $hits) (v128.and
          (v128.and (i8x16.eq (v128.or (local.get $bytes) (v128.const i32x4 0x20202020 0x20202020 0x20202020 0x20202020)) (v128.const i32x4 0x65656565 0x65656565 0x65656565 0x65656565)) (i8x16.eq (v128.or (local.get $after) (v128.const i32x4 0x20202020 0x20202020 0x20202020 0x20202020)) (v128.const i32x4 0x63636363 0x63636363 0x63636363 0x63636363)))
          (i8x16.eq (v128.or (local.get $third) (v128.const i32x4 0x20202020 0x20202020 0x20202020 0x20202020)) (v128.const i32x4 0x72727272 0x72727272 0x72727272 0x72727272)))))
      (local.set $hits (v128.or (local.get $hits) (v128.and
          (v128.and (i8x16.eq (v128.or (local.get $bytes) (v128.const i32x4 0x20202020 0x20202020 0x20202020 0x20202020)) (v128.const i32x4 0x6b6b6b6b 0x6b6b6b6b 0x6b6b6b6b 0x6b6b6b6b)) (i8x16.eq (v128.or (local.get $after) (v128.const i32x4 0x20202020 0x20202020 0x20202020 0x20202020)) (v128.const i32x4 0x65656565 0x65656565 0x65656565 0x65656565)))
          (i8x16.eq (v128.or (local.get $third) (v128.const i32x4 0x20202020 0x20202020 0x20202020 0x20202020)) (v128.const i32x4 0x79797979 0x79797979 0x79797979 0x79797979)))))
      (local.set $hits (v128.or (local.get $hits) (v128.and
          (v128.and (i8x16.eq (v128.or (local.get $bytes) (v128.const i32x4 0x20202020 0x20202020 0x20202020 0x20202020)) (v128.const i32x4 0x68686868 0x68686868 0x68686868 0x68686868)) (i8x16.eq (v128.or (local.get $after) (v128.const i32x4 0x20202020 0x20202020 0x20202020 0x20202020)) (v128.const i32x4 0x72727272 0x72727272 0x72727272 0x72727272)))
          (i8x16.eq (v128.or (local.get $third) (v128.const i32x4 0x20202020 0x20202020 0x20202020 0x20202020)) (v128.const i32x4 0x61616161 0x61616161 0x61616161 0x61616161)))))
      (local.set $hits (v128.or (local.get $hits) (v128.and
          (v128.and (i8x16.eq (v128.or (local.get $bytes) (v128.const i32x4 0x20202020 0x20202020 0x20202020 0x20202020)) (v128.const i32x4 0x63636363 0x63636363 0x63636363 0x63636363)) (i8x16.eq (v128.or (local.get $after) (v128.const i32x4 0x20202020 0x20202020 0x20202020 0x20202020)) (v128.const i32x4 0x68686868 0x68686868 0x68686868 0x68686868)))
          (i8x16.eq (v128.or (local.get $third) (v128.const i32x4 0x20202020 0x20202020 0x20202020 0x20202020)) (v128.const i32x4 0x6f6f6f6f 0x6f6f6f6f 0x6f6f6f6f 0x6f6f6f6f)))))
      (local.set $hits (v128.or (local.get $hits) (v128.and
          (v128.and (i8x16.eq (v128.or (local.get $bytes) (v128.const i32x4 0x20202020 0x20202020 0x20202020 0x20202020)) (v128.const i32x4 0x6d6d6d6d 0x6d6d6d6d 0x6d6d6d6d 0x6d6d6d6d)) (i8x16.eq (local.get $after) (v128.const i32x4 0x2d2d2d2d 0x2d2d2d2d 0x2d2d2d2d 0x2d2d2d2d)))
          (i8x16.eq (v128.or (local.get $third) (v128.const i32x4 0x20202020 0x20202020 0x20202020 0x20202020)) (v128.const i32x4 0x64646464 0x64646464 0x64646464 0x64646464)))))
      (local.set $hits (v128.or (local.get $hits) (v128.and
          (v128.and (i8x16.eq (v128.or (local.get $bytes) (v128.const i32x4 0x20202020 0x20202020 0x20202020 0x20202020)) (v128.const i32x4 0x6d6d6d6d 0x6d6d6d6d 0x6d6d6d6d 0x6d6d6d6d)) (i8x16.eq (v128.or (local.get $after) (v128.const i32x4 0x20202020 0x20202020 0x20202020 0x20202020)) (v128.const i32x4 0x6d6d6d6d 0x6d6d6d6d 0x6d6d6d6d 0x6d6d6d6d)))
          (i8x16.eq (v128.or (local.get $third) (v128.const i32x4 0x20202020 0x20202020 0x20202020 0x20202020)) (v128.const i32x4 0x75757575 0x75757575 0x75757575 0x75757575)))))
      (local.set $hits (v128.or (local.get $hits) (v128.and
          (v128.and (i8x16.eq (local.get $bytes) (v128.const i32x4 0x40404040 0x40404040 0x40404040 0x40404040)) (i8x16.eq (v128.or (local.get $after) (v128.const i32x4 0x20202020 0x20202020 0x20202020 0x20202020)) (v128.const i32x4 0x74747474 0x74747474 0x74747474 0x74747474)))
          (i8x16.eq (v128.or (local.get $third) (v128.const i32x4 0x20202020 0x20202020 0x20202020 0x20202020)) (v128.const i32x4 0x63636363 0x63636363 0x63636363 0x63636363)))))
      (local.set $hits (v128.or (local.get $hits) (v128.and
          (v128.and (i8x16.eq (v128.or (local.get $bytes) (v128.const i32x4 0x20202020 0x20202020 0x20202020 0x20202020)) (v128.const i32x4 0x74747474 0x74747474 0x74747474 0x74747474)) (i8x16.eq (local.get $after) (v128.const i32x4 0x20202020 0x20202020 0x20202020 0x20202020)))
          (i8x16.eq (v128.or (local.get $third) (v128.const i32x4 0x20202020 0x20202020 0x20202020 0x20202020)) (v128.const i32x4 0x75757575 0x75757575 0x75757575 0x75757575)))))
      (local.set $hits (v128.or (local.get $hits) (v128.and
          (v128.and (i8x16.eq (local.get $bytes) (v128.const i32x4 0x2d2d2d2d 0x2d2d2d2d 0x2d2d2d2d 0x2d2d2d2d)) (i8x16.eq (v128.or (local.get $after) (v128.const i32x4 0x20202020 0x20202020 0x20202020 0x20202020)) (v128.const i32x4 0x73737373 0x73737373 0x73737373 0x73737373)))
          (i8x16.eq (v128.or (local.get $third) (v128.const i32x4 0x20202020 0x20202020 0x20202020 0x20202020)) (v128.const i32x4 0x65656565 0x65656565 0x65656565 0x65656565)))))
      (local.set $mask (i8x16.bitmask (local.get $hits)))
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
    (global.set $anchors
      (i32.or
        (i32.or
          (v128.any_true (local.get $double))
          (i32.shl (v128.any_true (local.get $user)) (i32.const 1)))
        (i32.or
          (i32.shl (v128.any_true (local.get $closing)) (i32.const 2))
          (i32.or
            (i32.or
              (i32.shl (v128.any_true (local.get $bearer)) (i32.const 3))
              (i32.shl (v128.any_true (local.get $pass)) (i32.const 4)))
            (i32.or
              (i32.shl (v128.any_true (local.get $short)) (i32.const 5))
              (i32.or
                (i32.shl (v128.any_true (local.get $by)) (i32.const 6))
                (i32.shl (v128.any_true (local.get $define)) (i32.const 7))))))))
    (i32.shr_u (i32.sub (local.get $signs) (i32.const 0x28200)) (i32.const 2)))
)
